#!/usr/bin/env python3
"""An MCP server that takes the tokens of proxy_services.py, and a client of the package mcp that uses it.

    proxy_mcp.py server           prints its port, and ends with its input
    proxy_mcp.py client URL [KEY] prints what the tools return; sends the key as a bearer token, if it is given

Run it with the Python in .build/python-servers, where install.sh puts the package.
"""
import asyncio
import logging
import sys
import threading

sys.dont_write_bytecode = True
from proxy_services import LIFE, is_alive  # noqa: E402

STEPS = 6


def application():
    """The server's tools behind a check of the token."""
    from mcp.server.mcpserver import Context, MCPServer

    server = MCPServer("clock", version="1.0")

    @server.tool()
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    @server.tool()
    async def wait(context: Context) -> str:
        """Reports its progress for more than twice the life of a token."""
        for step in range(STEPS):
            await asyncio.sleep(0.4)
            await context.report_progress(step + 1, STEPS)
        return "waited"

    tools = server.streamable_http_app()

    async def checked(scope, receive, send):
        token = dict(scope.get("headers", [])).get(b"authorization", b"").decode().removeprefix("Bearer ")
        if scope["type"] != "http" or is_alive(token):
            return await tools(scope, receive, send)
        challenge = (b"www-authenticate", b'Bearer error="invalid_token"')
        await send({"type": "http.response.start", "status": 401, "headers": [challenge, (b"content-length", b"0")]})
        return await send({"type": "http.response.body"})

    return checked


def serve():
    import socket
    import uvicorn

    logging.disable(logging.CRITICAL)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(
        application(), log_config=None, lifespan="on", timeout_graceful_shutdown=1))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    sys.stdin.read()
    server.should_exit = True


async def use(url, key):
    """One session: its requests come with tokens that have died since the last one."""
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    steps = []

    async def note(progress, total, message):
        steps.append(progress)

    fields = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx2.AsyncClient(headers=fields, timeout=30, follow_redirects=True) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            tools = await client.list_tools()
            print(*sorted(tool.name for tool in tools.tools))
            for number in range(3):
                await asyncio.sleep(LIFE + 0.1)
                result = await client.call_tool("add", {"a": number, "b": 40})
                print(result.content[0].text)
            result = await client.call_tool("wait", {}, progress_callback=note)
            print(result.content[0].text, len(steps))


if __name__ == "__main__":
    if sys.argv[1] == "server":
        serve()
    else:
        asyncio.run(use(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None))
