"""What the checks of Tests/Servers share: a count, plain requests, a client's redirect URI, the scripted browser."""
import base64
import hashlib
import http.client
import http.server
import json
import os
import subprocess
import sys
import threading
from urllib.parse import parse_qsl, urlencode, urlsplit

HERE = os.path.dirname(os.path.abspath(__file__))
VERBOSE = "-v" in sys.argv[1:]
VERIFIER = "a-verifier-of-forty-three-characters-at-least"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


class Tally:
    """Counts the checks."""

    def __init__(self):
        self.passed = self.failed = 0

    def equal(self, what, actual, expected):
        if actual == expected:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}: {actual!r}, not {expected!r}")

    def true(self, what, actual):
        self.equal(what, bool(actual), True)


class Answer:
    """Status, headers, body, and the body read as JSON ({} where it is none)."""

    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.body = response.read().decode()
        try:
            self.json = json.loads(self.body)
        except ValueError:
            self.json = {}

    @property
    def error(self):
        return self.status, self.json.get("error")


def send(method, url, form=None, basic=None, bearer=None, raw_authorization=None, document=None, headers=None):
    """Sends a request with a form, or with a document of JSON, as its body."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=120)
    headers = dict(headers or {})
    body = None if form is None else urlencode(form)
    if form is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    if document is not None:
        headers["Content-Type"] = "application/json"
        body = json.dumps(document)
    if basic:
        headers["Authorization"] = "Basic " + base64.b64encode(basic.encode()).decode()
    if bearer:
        headers["Authorization"] = "Bearer " + bearer
    if raw_authorization:
        headers["Authorization"] = raw_authorization
    connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), body, headers)
    answer = Answer(connection.getresponse())
    connection.close()
    if VERBOSE:
        shown = {k: v for k, v in answer.headers.items()
                 if not k.startswith("Access-Control") and k not in ("Date", "Connection", "X-Frame-Options")}
        print(f"{method} {parts.path} {form or document or ''} {'basic' if basic else ''}{'bearer' if bearer else ''}\n"
              f"   {answer.status} {shown}\n   {answer.body[:700]!r}")
    return answer


class Listener:
    """A client's redirect URI: keeps the requests that arrive."""

    def __init__(self, port=0, host="127.0.0.1", status=200):
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.keep(urlsplit(self.path).query)

            def do_POST(self):
                self.keep(self.rfile.read(int(self.headers["Content-Length"])).decode())

            def keep(self, text):
                outer.requests.append((self.command, urlsplit(self.path).path, dict(parse_qsl(text))))
                self.send_response(status)
                self.end_headers()
                self.wfile.write(b"You can close this window.")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer((host, port), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def browse(url, password, **settings):
    environment = {"PATH": os.environ["PATH"], "BROWSER_USER": "alice", "BROWSER_PASSWORD": password}
    environment.update({f"BROWSER_{name.upper()}": value for name, value in settings.items()})
    return subprocess.run([os.path.join(HERE, "browser.py"), url], env=environment, capture_output=True, text=True,
                          timeout=300)
