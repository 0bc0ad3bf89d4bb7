"""Serves a web application for one test run, in this process, on a free port of the loopback.

A server's own script makes the application and says what the tests need to know of it. One line of JSON is printed when
it listens; it ends when standard input is closed or SIGTERM or SIGINT arrives, and its directory is removed.
"""
import contextlib
import json
import os
import select
import shutil
import signal
import socketserver
import sys
import tempfile
import threading
import wsgiref.simple_server

USER = "alice"
PASSWORD = "alice's password"
SECRET = "a-client-secret-that-is-long-enough-for-hmac-sha256"
KEY_ID = "key-1"


class Threading(socketserver.ThreadingMixIn, wsgiref.simple_server.WSGIServer):
    daemon_threads = True
    request_queue_size = 64

    def server_bind(self):
        # wsgiref asks the resolver for the machine's name, which may take long.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]
        self.setup_environ()


class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, form, *values):
        if os.environ.get("SERVER_LOG"):
            super().log_message(form, *values)

    def get_environ(self):
        environ = super().get_environ()
        # An empty type is none: some frameworks trip over it.
        if not self.headers.get("content-type"):
            environ.pop("CONTENT_TYPE", None)
        return environ


def key_pair():
    """A P-256 key for private_key_jwt: its PEM file's text, and the public key as a JWK."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from joserfc import jwk

    key = ec.generate_private_key(ec.SECP256R1())
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    public = jwk.import_key(text, "EC").as_dict(private=False)
    return text, {**public, "kid": KEY_ID, "use": "sig", "alg": "ES256"}


def redirect_uris():
    """Ports for the browser's way back, for servers that compare redirect URIs as text."""
    import random
    ports = random.sample(range(20000, 32000), 6)
    return [f"http://127.0.0.1:{port}/callback" for port in ports]


class Resource:
    """A protected resource in front of the application: /api/me, for any valid token."""

    def __init__(self, application, subject):
        """`subject` returns the subject of an access token, the client if it has no user, None if it is not valid."""
        self.application, self.subject = application, subject

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"] != "/api/me":
            return self.application(environ, start_response)
        scheme, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        subject = self.subject(token) if scheme.lower() == "bearer" else None
        headers = [("Content-Type", "application/json")]
        if subject is None:
            start_response("401 Unauthorized", headers + [("WWW-Authenticate", 'Bearer error="invalid_token"')])
            return [b"{}"]
        start_response("200 OK", headers)
        return [json.dumps({"sub": subject}).encode()]


def run(make, server=None):
    """Calls `make(origin, directory)`, which returns the application and the facts, and serves it to the end.

    `server` listens already: a Threading unless given, or what has its server_port, set_app and serve_forever.
    """
    sys.dont_write_bytecode = True
    directory = tempfile.mkdtemp(prefix="oauth-server-")

    def stop(*_):
        raise SystemExit(0)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        server = server or Threading(("127.0.0.1", 0), Quiet)
        origin = f"http://127.0.0.1:{server.server_port}"
        with contextlib.redirect_stdout(sys.stderr):
            application, facts = make(origin, directory)
        server.set_app(application)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(json.dumps({"user": USER, "password": PASSWORD, **facts}), flush=True)
        while True:
            select.select([sys.stdin.fileno()], [], [])
            if not os.read(sys.stdin.fileno(), 4096):
                return
    finally:
        shutil.rmtree(directory, ignore_errors=True)
