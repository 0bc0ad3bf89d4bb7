#!/usr/bin/env python3
"""Runs an MCP server with its own authorization server, of the package mcp, for one test run; see loopback_server.py.

Discovery (RFC 9728, RFC 8414), registration (RFC 7591), PKCE, revocation and the endpoint /mcp are the package's. What
the package leaves to each server is here: the store of clients and tokens, in memory, and the page that asks for the
password. With --port, a second run is the same server without its memory: it has forgotten its clients.

Its parts are in .build/python-servers, where install.sh puts them; run it with the python there.
"""
import argparse
import hmac
import html
import logging
import secrets
import time

import loopback_server as loopback

SCOPE = "tools"
PAGE = """<!doctype html><title>Log in</title><form method="post">
<p>{client} asks for: {scope}</p><input type="hidden" name="request" value="{request}">
<input name="username"><input name="password" type="password">
<button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></form>"""


class Store:
    """What the package asks of a server's own part: its OAuthAuthorizationServerProvider."""

    def __init__(self, origin, options):
        self.origin, self.options = origin, options
        self.clients, self.requests, self.codes = {}, {}, {}
        # Tokens by their text; the access and the refresh token of one response have the same mate.
        self.access_tokens, self.refresh_tokens, self.mates = {}, {}, {}

    # The package's interface.

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        from mcp.server.auth.provider import RegistrationError

        if self.options.confidential_clients and client.token_endpoint_auth_method == "none":
            raise RegistrationError("invalid_client_metadata", "token_endpoint_auth_method 'none' is not supported")
        self.clients[client.client_id] = client

    async def authorize(self, client, parameters):
        request = secrets.token_urlsafe(16)
        self.requests[request] = client, parameters
        return f"{self.origin}/login?request={request}"

    async def load_authorization_code(self, client, code):
        return self.codes.get(code)

    async def exchange_authorization_code(self, client, code):
        del self.codes[code.code]
        return self.respond(client.client_id, code.scopes, code.resource)

    async def load_refresh_token(self, client, token):
        return self.refresh_tokens.get(token)

    async def exchange_refresh_token(self, client, token, scopes):
        await self.revoke_token(token)
        return self.respond(client.client_id, scopes, token.resource)

    async def load_access_token(self, token):
        return self.access_tokens.get(token)

    async def revoke_token(self, token):
        for text in (token.token, self.mates.pop(token.token, None)):
            self.access_tokens.pop(text, None)
            self.refresh_tokens.pop(text, None)

    # The rest.

    def respond(self, client_id, scopes, resource):
        from mcp.server.auth.provider import AccessToken, RefreshToken
        from mcp.shared.auth import OAuthToken

        common = {"client_id": client_id, "scopes": scopes, "resource": resource, "subject": loopback.USER}
        access = AccessToken(
            token=secrets.token_urlsafe(32), expires_at=int(time.time()) + self.options.access_lifetime, **common)
        refresh = RefreshToken(token=secrets.token_urlsafe(32), **common)
        self.access_tokens[access.token], self.refresh_tokens[refresh.token] = access, refresh
        self.mates.update({access.token: refresh.token, refresh.token: access.token})
        return OAuthToken(
            access_token=access.token, expires_in=self.options.access_lifetime, scope=" ".join(scopes),
            refresh_token=refresh.token)

    async def show_page(self, request):
        from starlette.responses import HTMLResponse, PlainTextResponse

        name = request.query_params.get("request")
        if name not in self.requests:
            return PlainTextResponse("no such request", 400)
        client, parameters = self.requests[name]
        words = {"client": client.client_name or client.client_id, "scope": " ".join(parameters.scopes or [SCOPE])}
        return HTMLResponse(PAGE.format(
            request=html.escape(name), **{key: html.escape(text) for key, text in words.items()}))

    async def decide(self, request):
        from mcp.server.auth.provider import AuthorizationCode, construct_redirect_uri
        from starlette.responses import RedirectResponse

        form = await request.form()
        known = form.get("request") in self.requests
        right = (hmac.compare_digest(form.get("username", ""), loopback.USER)
                 and hmac.compare_digest(form.get("password", ""), loopback.PASSWORD))
        if not known or form.get("decision") == "allow" and not right:
            return await self.show_page(request)
        client, parameters = self.requests.pop(form["request"])
        answer = {"error": "access_denied"}
        if form.get("decision") == "allow":
            code = AuthorizationCode(
                code=secrets.token_urlsafe(32), expires_at=time.time() + 60, client_id=client.client_id,
                scopes=parameters.scopes or [SCOPE],
                **parameters.model_dump(include={
                    "code_challenge", "redirect_uri", "redirect_uri_provided_explicitly", "resource"}))
            self.codes[code.code] = code
            answer = {"code": code.code}
        return RedirectResponse(
            construct_redirect_uri(str(parameters.redirect_uri), **answer, state=parameters.state), 302)


class Server:
    """Serves an application in the manner of ASGI, as loopback_server's own does in that of WSGI."""

    def __init__(self, port):
        import socket
        self.listener = socket.create_server(("127.0.0.1", port), backlog=64)
        self.server_port = self.listener.getsockname()[1]

    def set_app(self, application):
        import uvicorn
        # Without a limit, its end would wait for the streams that clients hold open.
        self.server = uvicorn.Server(uvicorn.Config(
            application, log_config=None, lifespan="on", timeout_graceful_shutdown=1))

    def serve_forever(self):
        self.server.run(sockets=[self.listener])


def make(origin, options):
    from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
    from mcp.server.mcpserver import MCPServer

    logging.disable(logging.CRITICAL)
    store = Store(origin, options)
    server = MCPServer(
        "notes", version="1.0", auth_server_provider=store,
        auth=AuthSettings(
            issuer_url=origin, resource_server_url=origin + "/mcp", required_scopes=[SCOPE],
            # Tokens that were not asked for with `resource` (RFC 8707) are refused.
            validate_token_resource=True,
            client_registration_options=ClientRegistrationOptions(
                enabled=True, valid_scopes=[SCOPE], default_scopes=[SCOPE]),
            revocation_options=RevocationOptions(enabled=True)))

    @server.tool()
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    server.custom_route("/login", methods=["GET"])(store.show_page)
    server.custom_route("/login", methods=["POST"])(store.decide)
    return server.streamable_http_app(), {"issuer": origin, "url": origin + "/mcp", "scopes": [SCOPE]}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="the port to listen on; any that is free unless given")
    parser.add_argument("--access-lifetime", type=int, default=3600, metavar="SECONDS")
    parser.add_argument("--confidential-clients", action="store_true", help="register no client without a secret")
    return parser.parse_args()


if __name__ == "__main__":
    given = arguments()
    loopback.run(lambda origin, _: make(origin, given), Server(given.port))
