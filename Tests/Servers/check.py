#!/usr/bin/python3
"""Checks glewlwyd.py, mcp_server.py and browser.py without any client of ours: what the tests rely on, on the wire.

Prints a line for each check that fails and `N passed, N failed` at the end; with -v every response. Exit status 1 when
one failed.
"""
import base64
import http.server
import json
import os
import subprocess
import sys
import threading
import time
from urllib.parse import parse_qsl, quote, urlencode

sys.dont_write_bytecode = True  # nothing is left in the source tree
import check_mcp  # noqa: E402
from wire import CHALLENGE, HERE, VERBOSE, VERIFIER, Listener, Tally, browse, send  # noqa: E402

FORM = """<html><form method="post" action="/authorize/decide"><input type=hidden name=request value="7&amp;8">
<input name=username><input type=password name=password>
<button name=decision value=allow>Allow</button><button name=decision value=deny>Deny</button></form></html>"""


def plain_form(redirect_uri):
    """An authorization server with nothing but a form, to try the browser on; answers the server and its port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Set-Cookie", "session=1; Path=/; HttpOnly")
            self.end_headers()
            self.wfile.write(FORM.encode())

        def do_POST(self):
            fields = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
            right = (fields.get("username"), fields.get("password"), fields.get("request"),
                     self.headers["Cookie"]) == ("alice", "pass word&", "7&8", "session=1")
            answer = {"allow": {"code": "c", "state": "s", "iss": "i"},
                      "deny": {"error": "access_denied", "state": "s"}}[fields["decision"]]
            if right:
                self.send_response(303)
                self.send_header("Location", redirect_uri + "?" + urlencode(answer))
            else:
                self.send_response(200)
            self.end_headers()
            self.wfile.write(b"" if right else FORM.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server


def check_browser(tally):
    """What the browser does with a plain form, for each action."""
    right = ("GET", "/callback", {"code": "c", "state": "s", "iss": "i"})
    expected = {
        "approve": [right],
        "deny": [("GET", "/callback", {"error": "access_denied", "state": "s"})],
        "walk-away": [],
        "bad-state": [("GET", "/callback", {"code": "c", "state": "tampered", "iss": "i"})],
        "no-state": [("GET", "/callback", {"code": "c", "iss": "i"})],
        "bad-issuer": [("GET", "/callback", {"code": "c", "state": "s", "iss": "https://other.example"})],
        "no-code": [("GET", "/callback", {"state": "s", "iss": "i"})],
        "twice": [right, right],
        "favicon": [("GET", "/favicon.ico", {}), right],
    }
    for action, requests in expected.items():
        listener = Listener()
        redirect_uri = f"http://127.0.0.1:{listener.port}/callback"
        server = plain_form(redirect_uri)
        url = f"http://127.0.0.1:{server.server_port}/authorize?" + urlencode({"redirect_uri": redirect_uri})
        run = browse(url, "pass word&", action=action)
        tally.equal(f"browser, {action}: exit and message", (run.returncode, run.stderr), (0, ""))
        tally.equal(f"browser, {action}: what arrives", listener.requests, requests)
        if action == "approve":
            run = browse(url, "wrong")
            tally.equal("browser, wrong password", (run.returncode, "asked to log in again" in run.stderr), (1, True))
            started = time.monotonic()
            browse(url, "pass word&", detach="1", delay="5")
            tally.true("browser, detached: it returns at once", time.monotonic() - started < 5)
            end = time.monotonic() + 120
            while len(listener.requests) < 2 and time.monotonic() < end:
                time.sleep(0.02)
            tally.equal("browser, detached: what arrives", listener.requests, [right, right])
        server.shutdown()
        server.server_close()
        listener.close()
    tally.equal("browser, no argument", subprocess.run([os.path.join(HERE, "browser.py")],
                                                       capture_output=True).returncode, 1)


class Flow:
    """The protocol from a client's side, on one glewlwyd."""

    def __init__(self, facts, tally):
        self.facts, self.tally, self.issuer = facts, tally, facts["issuer"]
        self.metadata = send("GET", self.issuer + "/.well-known/openid-configuration").json

    def token(self, **form):
        credentials = {name: form.pop(name) for name in ("basic", "raw_authorization") if name in form}
        return send("POST", self.metadata["token_endpoint"], form, **credentials)

    def authorize(self, client=None, host="127.0.0.1", action="approve", scope="openid read", **more):
        """Has the browser log in; answers what arrived at the redirect URI, which it is, and how the browser ended."""
        port = self.facts["ports"][0]
        redirect_uri = f"http://{host}:{port}/callback"
        listener = Listener(port)
        settings = {name: more.pop(name) for name in ("browser_scope",) if name in more}
        query = {"response_type": "code", "client_id": client or self.facts["public_client"], "scope": scope,
                 "redirect_uri": redirect_uri, "state": "the state", "nonce": "the nonce",
                 "code_challenge": CHALLENGE, "code_challenge_method": "S256", **more}
        run = browse(self.metadata["authorization_endpoint"] + "?" + urlencode(query), self.facts["password"],
                     action=action, **({"scope": settings["browser_scope"]} if settings else {}))
        listener.close()
        return listener.requests, redirect_uri, run

    def redeem(self, **more):
        """A whole login of the public client; answers the token response."""
        arrived, redirect_uri, _ = self.authorize(**more)
        return self.token(grant_type="authorization_code", code=arrived[0][2]["code"], redirect_uri=redirect_uri,
                          client_id=self.facts["public_client"], code_verifier=VERIFIER)

    def refresh(self, token, **more):
        return self.token(grant_type="refresh_token", refresh_token=token,
                          **(more or {"client_id": self.facts["public_client"]}))

    def user_info(self, token):
        return send("GET", self.facts["resource"], bearer=token)

    def check_discovery(self):
        equal, base = self.tally.equal, self.facts["base"]
        for path in ("/.well-known/oauth-authorization-server/api/oidc", "/.well-known/openid-configuration/api/oidc",
                     "/api/oidc/.well-known/oauth-authorization-server"):
            equal(f"discovery {path}", send("GET", base + path).status, 404)
        equal("discovery, issuer", self.metadata["issuer"], self.issuer)
        for name, path in {"authorization": "auth", "token": "token", "revocation": "revoke", "userinfo": "userinfo",
                           "introspection": "introspect", "device_authorization": "device_authorization",
                           "pushed_authorization_request": "par"}.items():
            equal(f"discovery, {name}", self.metadata[name + "_endpoint"], f"{self.issuer}/{path}")
        equal("discovery does not announce iss", "authorization_response_iss_parameter_supported" in self.metadata,
              False)
        equal("discovery omits a grant that works", "refresh_token" in self.metadata["grant_types_supported"], False)

    def check_code(self):
        equal = self.tally.equal
        arrived, redirect_uri, run = self.authorize()
        equal("code: the browser ends well", (run.returncode, run.stderr), (0, ""))
        method, path, answer = arrived[0]
        equal("code: the callback", (method, path, sorted(answer), answer["state"], answer["iss"]),
              ("GET", "/callback", ["code", "iss", "session_state", "state"], "the state", self.issuer))
        form = {"grant_type": "authorization_code", "code": answer["code"], "redirect_uri": redirect_uri,
                "client_id": self.facts["public_client"]}
        wrong = self.token(**form, code_verifier=VERIFIER + "x")
        equal("code: a wrong verifier", (wrong.status, wrong.body), (403, '{"error":"invalid_code"}'))
        response = self.token(**form, code_verifier=VERIFIER)
        equal("code: the token response", (response.status, sorted(response.json)), (
            200, ["access_token", "expires_in", "iat", "id_token", "refresh_token", "scope", "token_type"]))
        equal("code: its values", [response.json.get(name) for name in ("token_type", "expires_in", "scope")],
              ["bearer", 3, "openid read"])
        self.tally.equal("userinfo", self.user_info(response.json["access_token"]).status, 200)
        replayed = self.token(**form, code_verifier=VERIFIER)
        equal("code: replayed", (replayed.status, replayed.body), (403, '{"error":"invalid_code"}'))
        equal("code: a replay revokes the refresh token of the first use",
              self.refresh(response.json["refresh_token"]).status, 400)
        equal("code: over localhost", self.redeem(host="localhost").status, 200)
        equal("code: fewer scopes granted", self.redeem(scope="openid read write", browser_scope="openid read")
              .json.get("scope"), "openid read")
        arrived, _, run = self.authorize(response_mode="form_post")
        equal("code: form_post", [(m, p, sorted(a)) for m, p, a in arrived], [("POST", "/callback", sorted(answer))])
        arrived, _, run = self.authorize(action="deny")
        equal("code: denied, nothing arrives", (arrived, run.returncode), ([], 0))
        arrived, _, _ = self.authorize(code_challenge_method="plain")
        equal("code: an error arrives in the query", (arrived[0][2].get("error"), arrived[0][2].get("state")),
              ("invalid_request", "the state"))
        arrived, _, run = self.authorize(response_type="nonsense")
        equal("code: an error in the fragment is a bare hit", (arrived, run.returncode),
              ([("GET", "/callback", {})], 0))
        arrived, _, run = self.authorize(scope="openid nonsense")
        equal("code: an unknown scope is left out", sorted(arrived[0][2]), sorted(answer))
        arrived, _, run = self.authorize(scope="nonsense")
        equal("code: unknown scopes only", (arrived, run.returncode), ([], 1))
        secret = f"{self.facts['confidential_client']}:{self.facts['confidential_secret']}"
        arrived, redirect_uri, _ = self.authorize(client=self.facts["confidential_client"])
        form = {"grant_type": "authorization_code", "code": arrived[0][2]["code"], "redirect_uri": redirect_uri,
                "code_verifier": VERIFIER}
        refused = self.token(**form, basic=self.facts["confidential_client"] + ":wrong")
        equal("code: a wrong client secret", (refused.error, refused.headers["WWW-Authenticate"]),
              ((403, "unauthorized_client"), None))
        equal("code: a confidential client", self.token(**form, basic=secret).status, 200)

    def check_expiry(self):
        """An access token is refused from the second of its `exp` on, or how late."""
        response = self.redeem()
        token, accepted = response.json["access_token"], time.time()
        schemes = {"none": None, "nonsense": "Bearer nonsense", "lower case": f"bearer {token}"}
        equal = self.tally.equal
        for name, value in schemes.items():
            answer = send("GET", self.facts["resource"], raw_authorization=value)
            equal(f"userinfo, {name}", (answer.status, answer.body, answer.headers["WWW-Authenticate"]),
                  (401, "", None))
        payload = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        equal("expiry: exp - iat", claims["exp"] - claims["iat"], 3)
        # Of each request it is certain only that the server decided after it was sent and before its response came.
        for asked in iter(time.time, None):
            answer = self.user_info(token)
            if answer.status != 200 or asked > claims["exp"] + 10:
                break
            accepted = asked
            time.sleep(0.05)
        last, first = (moment - claims["exp"] for moment in (accepted, time.time()))
        equal("expiry: the refusal", (answer.status, answer.body, answer.headers["WWW-Authenticate"]), (401, "", None))
        self.tally.true(f"expiry: accepted until {last:+.2f} s from its exp, refused at {first:+.2f} s",
                        last < 1.3 and first > -0.1)
        if VERBOSE:
            print(f"accepted until {last:+.2f} s from its exp, refused at {first:+.2f} s")
        renewed = self.refresh(response.json["refresh_token"])
        equal("expiry: refreshed", self.user_info(renewed.json["access_token"]).status, 200)

    def check_rotation(self):
        """One-use refresh tokens, and what the reuse of a spent one does."""
        equal = self.tally.equal
        first = self.redeem().json
        second = self.refresh(first["refresh_token"])
        equal("refresh: the response", (second.status, sorted(second.json)), (
            200, ["access_token", "expires_in", "iat", "refresh_token", "scope", "token_type"]))
        equal("refresh: another token", second.json["refresh_token"] == first["refresh_token"], False)
        equal("refresh: the old access token lives on", self.user_info(first["access_token"]).status, 200)
        spent = self.refresh(first["refresh_token"])
        equal("refresh: a spent token", (spent.status, spent.body, spent.headers["Content-Type"]), (400, "", None))
        equal("refresh: the newest token after a reuse", self.refresh(second.json["refresh_token"]).status, 400)
        equal("refresh: the newest access token after a reuse",
              self.user_info(second.json["access_token"]).status, 200)
        nonsense = self.refresh("nonsense")
        equal("refresh: nonsense", (nonsense.status, nonsense.body), (400, ""))
        equal("refresh: a wider scope is ignored", self.refresh(
            self.redeem().json["refresh_token"], client_id=self.facts["public_client"],
            scope="openid read email").json.get("scope"), "openid read")
        client = self.facts["confidential_client"]
        secret = f"{client}:{self.facts['confidential_secret']}"
        pair = self.token(grant_type="password", username=self.facts["user"], password=self.facts["password"],
                          scope="openid read", basic=secret).json
        wrong = self.refresh(pair["refresh_token"], basic=f"{client}:wrong")
        equal("refresh: a wrong client secret", (wrong.status, wrong.body), (400, ""))
        equal("refresh: a wrong client secret spends the refresh token",
              self.refresh(pair["refresh_token"], basic=secret).status, 400)

    def check_revocation(self):
        equal, endpoint = self.tally.equal, self.metadata["revocation_endpoint"]
        pair = self.redeem().json
        answer = send("POST", endpoint, {"token": pair["refresh_token"], "token_type_hint": "refresh_token",
                                         "client_id": self.facts["public_client"]})
        equal("revocation, public client: refused", (answer.status, answer.body, answer.headers["WWW-Authenticate"]),
              (401, "", None))
        equal("revocation, public client by Basic: refused", send(
            "POST", endpoint, {"token": pair["refresh_token"]}, basic=self.facts["public_client"] + ":").status, 401)
        equal("revocation, public client: the refresh token lives", self.refresh(pair["refresh_token"]).status, 200)
        equal("revocation, public client: its access token", self.user_info(pair["access_token"]).status, 200)
        secret = f"{self.facts['confidential_client']}:{self.facts['confidential_secret']}"
        password = {"grant_type": "password", "username": self.facts["user"], "password": self.facts["password"],
                    "scope": "openid read"}
        pair = self.token(**password, basic=secret).json
        form = {"token": pair["refresh_token"], "token_type_hint": "refresh_token"}
        equal("revocation, no client", send("POST", endpoint, form).status, 401)
        equal("revocation, confidential client", send("POST", endpoint, form, basic=secret).status, 200)
        equal("revocation, again", send("POST", endpoint, form, basic=secret).status, 200)
        equal("revocation, confidential client: dead", self.refresh(pair["refresh_token"], basic=secret).status, 400)
        form = {"token": pair["access_token"], "token_type_hint": "access_token"}
        equal("revocation, access token", send("POST", endpoint, form, basic=secret).status, 200)
        equal("revocation, access token: dead", self.user_info(pair["access_token"]).status, 401)

    def check_other_grants(self):
        equal = self.tally.equal
        name = self.facts["confidential_client"]
        secret = f"{name}:{self.facts['confidential_secret']}"
        response = self.token(grant_type="client_credentials", scope="read write", basic=secret)
        equal("client_credentials", (response.status, sorted(response.json), response.json.get("scope")),
              (200, ["access_token", "expires_in", "scope", "token_type"], "read write"))
        equal("client_credentials without scope",
              self.token(grant_type="client_credentials", basic=secret).error, (403, None))
        equal("client_credentials, a scope that is not the client's", self.token(
            grant_type="client_credentials", scope="nonsense", basic=secret).error, (400, "scope_invalid"))
        equal("client_credentials, basic only",
              self.token(grant_type="client_credentials", scope="read", client_id=name,
                         client_secret=self.facts["confidential_secret"]).error, (403, None))
        form = {"grant_type": "password", "username": self.facts["user"], "scope": "openid read"}
        right = {**form, "password": self.facts["password"]}
        response = self.token(**right, basic=secret)
        equal("password", (response.status, sorted(response.json)), (
            200, ["access_token", "expires_in", "iat", "id_token", "refresh_token", "scope", "token_type"]))
        wrong = self.token(**form, password="wrong", basic=secret)
        equal("password, wrong", (wrong.status, wrong.body), (403, ""))
        equal("password, without a scope", self.token(
            grant_type="password", username=self.facts["user"], password=self.facts["password"],
            basic=secret).error, (400, None))
        equal("password, public client", self.token(**right, client_id=self.facts["public_client"]).error, (403, None))
        equal("password, unknown client", self.token(**right, basic="nobody:secret").error, (400, None))
        equal("unknown grant", self.token(grant_type="nonsense", basic=secret).error, (400, None))

    def check_registration(self):
        """Who registers, and who may log in after it (RFC 7591, RFC 7592)."""
        equal, endpoint = self.tally.equal, self.metadata["registration_endpoint"]
        client = {"redirect_uris": ["http://127.0.0.1/callback"], "grant_types": ["authorization_code"]}
        form = {"grant_type": "authorization_code", "code": "made-up", "code_verifier": VERIFIER,
                "redirect_uri": client["redirect_uris"][0]}
        public = send("POST", endpoint, document={**client, "token_endpoint_auth_method": "none"})
        equal("registration, public", (public.status, public.json["token_endpoint_auth_method"],
                                       "client_secret" in public.json), (200, "none", False))
        equal("registration, public: refused by the token endpoint",
              self.token(client_id=public.json["client_id"], **form).error, (403, "unauthorized_client"))
        pushed = send("POST", self.metadata["pushed_authorization_request_endpoint"], {
            "client_id": public.json["client_id"], "response_type": "code", "scope": "openid",
            "redirect_uri": "http://127.0.0.1/callback"})
        equal("registration, public: refused by PAR", (pushed.status, pushed.body), (403, ""))
        answer = send("POST", endpoint, document={**client, "token_endpoint_auth_method": "client_secret_basic"})
        secret = f"{answer.json['client_id']}:{answer.json['client_secret']}"
        equal("registration, confidential: known", self.token(basic=secret, **form).error, (403, "invalid_code"))
        address, token = answer.json["registration_client_uri"], answer.json["registration_access_token"]
        shown = send("GET", address, bearer=token)
        equal("registration: shown", (shown.status, shown.json["token_endpoint_auth_method"]),
              (200, ["client_secret_basic"]))
        equal("registration: deleted", send("DELETE", address, bearer=token).status, 200)
        equal("registration: shown after it", send("GET", address, bearer=token).status, 401)
        equal("registration: known after it", self.token(basic=secret, **form).error, (403, "unauthorized_client"))

    def check_odd_secret(self):
        """Which encodings of a client's secret in HTTP Basic are understood."""
        client, secret = self.facts["odd_client"], self.facts["odd_secret"]
        encodings = {"percent": quote(secret, safe=""), "form": urlencode({"": secret})[1:], "raw": secret}
        statuses = {}
        for name, encoded in encodings.items():
            statuses[name] = self.token(grant_type="client_credentials", scope="read",
                                        basic=f"{client}:{encoded}").status
        self.tally.equal("odd secret in Basic", statuses, {"percent": 403, "form": 403, "raw": 200})
        self.tally.equal("odd secret in the body",
                         self.token(grant_type="client_credentials", scope="read", client_id=client,
                                    client_secret=secret).status, 200)


def main():
    tally = Tally()
    check_browser(tally)
    check_mcp.check(tally)
    process = subprocess.Popen([os.path.join(HERE, "glewlwyd.py"), "--access-lifetime=3", "--registration"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        tally.true("glewlwyd comes up", line)
        if line:
            flow = Flow(json.loads(line), tally)
            for check in (flow.check_discovery, flow.check_code, flow.check_rotation, flow.check_revocation,
                          flow.check_other_grants, flow.check_registration, flow.check_odd_secret,
                          flow.check_expiry):
                if VERBOSE:
                    print(f"=== {check.__name__}")
                check()
    finally:
        process.stdin.close()
        tally.equal("glewlwyd ends when its input is closed", process.wait(120), 0)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
