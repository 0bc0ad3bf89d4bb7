"""Checks mcp_server.py without any client of ours: what the tests rely on, on the wire. check.py runs it."""
import json
import os
import subprocess
from urllib.parse import urlencode

from wire import CHALLENGE, HERE, VERIFIER, Listener, browse, send

PYTHON = os.path.join(HERE, "../../.build/python-servers/bin/python")
ACCEPT = {"Accept": "application/json, text/event-stream"}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}}


class Running:
    """One run of mcp_server.py."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [PYTHON, "-B", os.path.join(HERE, "mcp_server.py"), *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.facts = json.loads(self.process.stdout.readline())
        self.url, self.issuer = self.facts["url"], self.facts["issuer"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(120)
        self.process.stdout.close()

    def register(self, redirect_uris, **more):
        return send("POST", self.issuer + "/register", document={
            "redirect_uris": redirect_uris, "token_endpoint_auth_method": "none", **more})

    def authorize(self, client, listener, action="approve", **more):
        """Has the browser log in; answers what arrived at the redirect URI, and how the browser ended."""
        query = {"response_type": "code", "client_id": client, "scope": "tools", "state": "the state",
                 "redirect_uri": redirect_uri(listener), "resource": self.url, "code_challenge": CHALLENGE,
                 "code_challenge_method": "S256", **more}
        before = len(listener.requests)
        run = browse(f"{self.issuer}/authorize?{urlencode(query)}", self.facts["password"], action=action)
        return [parameters for _, _, parameters in listener.requests[before:]], run

    def token(self, client, **form):
        return send("POST", self.issuer + "/token", {"client_id": client, **form})

    def log_in(self, client, listener, **more):
        arrived, _ = self.authorize(client, listener, **more)
        return self.token(client, grant_type="authorization_code", code=arrived[0]["code"],
                          redirect_uri=redirect_uri(listener), code_verifier=VERIFIER).json

    def ask(self, token, document=None, **headers):
        return send("POST", self.url, document=document or INITIALIZE, bearer=token, headers={**ACCEPT, **headers})


def redirect_uri(listener):
    return f"http://127.0.0.1:{listener.port}/callback"


def event(answer):
    """The JSON of an answer that is a stream with one event."""
    line = next((line for line in answer.body.splitlines() if line.startswith("data: {")), "data: {}")
    return json.loads(line.removeprefix("data: "))


def check(tally):
    listener = Listener()
    try:
        with Running("--access-lifetime=600") as server:
            check_discovery(tally, server)
            check_registration(tally, server, listener)
            check_code(tally, server, listener)
            check_endpoint(tally, server, listener)
            check_revocation(tally, server, listener)
        tally.equal("mcp ends when its input is closed", server.process.returncode, 0)
        check_memory(tally, listener)
    finally:
        listener.close()


def check_discovery(tally, server):
    for method in ("GET", "POST"):
        answer = send(method, server.url)
        tally.equal(f"mcp, {method}: the challenge", (answer.status, answer.headers["WWW-Authenticate"]), (
            401, 'Bearer error="invalid_token", error_description="Authentication required", '
            f'resource_metadata="{server.issuer}/.well-known/oauth-protected-resource/mcp"'))
    known = server.issuer + "/.well-known/"
    tally.equal("mcp, metadata of the API", send("GET", known + "oauth-protected-resource/mcp").json, {
        "resource": server.url, "authorization_servers": [server.issuer], "scopes_supported": ["tools"],
        "bearer_methods_supported": ["header"]})
    metadata = send("GET", known + "oauth-authorization-server").json
    tally.equal("mcp, issuer", metadata["issuer"], server.issuer)
    for name, path in {"authorization": "authorize", "token": "token", "revocation": "revoke",
                       "registration": "register"}.items():
        tally.equal(f"mcp, {name} endpoint", metadata[name + "_endpoint"], f"{server.issuer}/{path}")
    tally.equal("mcp, methods: public clients are not announced", metadata["token_endpoint_auth_methods_supported"],
                ["client_secret_post", "client_secret_basic"])
    for name in ("openid-configuration", "oauth-protected-resource"):
        tally.equal(f"mcp, no {name}", send("GET", known + name).status, 404)


def check_registration(tally, server, listener):
    uris = ["http://127.0.0.1/callback", redirect_uri(listener)]
    answer = server.register(uris, scope="tools")
    tally.equal("mcp, registration of a public client", (answer.status, sorted(answer.json)), (201, [
        "application_type", "client_id", "client_id_issued_at", "grant_types", "redirect_uris", "response_types",
        "scope", "token_endpoint_auth_method"]))
    tally.equal("mcp, registration: a scope that it has not", server.register(uris, scope="tools openid").error,
                (400, "invalid_client_metadata"))
    client = answer.json["client_id"]
    arrived, run = server.authorize(client, listener, redirect_uri="http://127.0.0.1:1/callback")
    tally.equal("mcp, a port that is not registered", (arrived, run.returncode), ([], 1))
    arrived, _ = server.authorize(client, listener, scope="tools openid")
    tally.equal("mcp, a scope that is not registered", arrived[0]["error"], "invalid_scope")
    arrived, run = server.authorize("nobody", listener)
    tally.equal("mcp, an unknown client has no redirect", (arrived, run.returncode), ([], 1))
    tally.equal("mcp, an unknown client's token request", server.token(
        "nobody", grant_type="authorization_code", code="none", code_verifier=VERIFIER).error, (401, "invalid_client"))
    tally.equal("mcp, a made-up code of a known client", server.token(
        client, grant_type="authorization_code", code="none", code_verifier=VERIFIER).error, (400, "invalid_grant"))
    with Running("--confidential-clients") as strict:
        tally.equal("mcp, strict: a public client", strict.register(uris).error, (400, "invalid_client_metadata"))
        answer = strict.register(uris, token_endpoint_auth_method="client_secret_basic")
        tally.equal("mcp, strict: a client with a secret", (answer.status, answer.json["client_secret_expires_at"],
                                                            len(answer.json["client_secret"])), (201, 0, 64))


def check_code(tally, server, listener):
    client = server.register([redirect_uri(listener)]).json["client_id"]
    tally.equal("mcp, denied", server.authorize(client, listener, action="deny")[0],
                [{"error": "access_denied", "state": "the state"}])
    arrived, run = server.authorize(client, listener)
    tally.equal("mcp, allowed", (sorted(arrived[0]), run.returncode), (["code", "state"], 0))
    form = {"grant_type": "authorization_code", "code": arrived[0]["code"], "redirect_uri": redirect_uri(listener)}
    wrong = server.token(client, code_verifier=VERIFIER + "x", **form)
    tally.equal("mcp, a wrong verifier", wrong.error, (400, "invalid_grant"))
    tokens = server.token(client, code_verifier=VERIFIER, **form)
    tally.equal("mcp, the token response", (tokens.status, sorted(tokens.json)), (
        200, ["access_token", "expires_in", "refresh_token", "scope", "token_type"]))
    tally.equal("mcp, a code again", server.token(client, code_verifier=VERIFIER, **form).error,
                (400, "invalid_grant"))
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens.json["refresh_token"]}
    second = server.token(client, **refresh)
    tally.equal("mcp, refresh", (second.status, sorted(second.json)), (200, sorted(tokens.json)))
    tally.equal("mcp, refresh: a spent token", server.token(client, **refresh).error, (400, "invalid_grant"))
    tally.equal("mcp, refresh: the old access token", server.ask(tokens.json["access_token"]).status, 401)
    tally.equal("mcp, refresh: the new access token", server.ask(second.json["access_token"]).status, 200)


def check_endpoint(tally, server, listener):
    client = server.register([redirect_uri(listener)]).json["client_id"]
    other = server.log_in(client, listener, resource=server.issuer + "/other")
    tally.equal("mcp, a token for another resource", server.ask(other["access_token"]).status, 401)
    token = server.log_in(client, listener)["access_token"]
    answer = server.ask(token)
    tally.equal("mcp, initialize", (answer.status, answer.headers["Content-Type"]), (200, "text/event-stream"))
    tally.equal("mcp, the server's name", event(answer)["result"]["serverInfo"]["name"], "notes")
    session = {"Mcp-Session-Id": answer.headers["Mcp-Session-Id"]}
    done = server.ask(token, {"jsonrpc": "2.0", "method": "notifications/initialized"}, **session)
    tally.equal("mcp, initialized", done.status, 202)
    tools = event(server.ask(token, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, **session))
    tally.equal("mcp, tools/list", [tool["name"] for tool in tools["result"]["tools"]], ["add"])
    answer = server.ask(token, Accept="*/*")
    tally.equal("mcp, any type accepted", answer.status, 200)
    answer = server.ask(token, Accept="application/json")
    tally.equal("mcp, JSON only accepted", answer.status, 406)


def check_revocation(tally, server, listener):
    client = server.register([redirect_uri(listener)]).json["client_id"]
    tokens = server.log_in(client, listener)
    form = {"token": tokens["refresh_token"], "client_id": client}
    refused = send("POST", server.issuer + "/revoke", form)
    tally.equal("mcp, revocation by a public client, which has no client_secret to send: refused", (
        refused.error, refused.json["error_description"]), ((400, "invalid_request"), "client_secret: Field required"))
    tally.equal("mcp, revocation with an empty client_secret",
                send("POST", server.issuer + "/revoke", {**form, "client_secret": ""}).status, 200)
    tally.equal("mcp, revoked", server.ask(tokens["access_token"]).status, 401)


def check_memory(tally, listener):
    """A second run on the same port has forgotten the clients of the first."""
    with Running() as first:
        port = first.issuer.rpartition(":")[2]
        client = first.register([redirect_uri(listener)]).json["client_id"]
    with Running("--port", port) as second:
        tally.equal("mcp, the same address again", second.issuer, first.issuer)
        tally.equal("mcp, a forgotten client", second.token(
            client, grant_type="refresh_token", refresh_token="none").error, (401, "invalid_client"))
