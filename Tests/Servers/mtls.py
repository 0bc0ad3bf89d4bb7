#!/usr/bin/python3
"""An authorization server that knows its clients by their certificates (RFC 8705), and an API for their tokens.

Two ports of the loopback, both with TLS: one asks for no certificate and has the metadata, whose `token_endpoint` and
`revocation_endpoint` refuse everybody; the other demands one and has the endpoints that `mtls_endpoint_aliases` name,
and the API, where a token works with the certificate that it was issued to only (section 3). Prints one line of JSON
when it is ready, and serves until its standard input is closed.
"""
import hashlib
import http.server
import json
import os
import secrets
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
from urllib.parse import parse_qsl

TOKENS = {}  # token: (client, thumbprint of the certificate)
COUNTS = {}


class Handler(http.server.BaseHTTPRequestHandler):
    """Both ports."""

    protocol_version = "HTTP/1.1"

    def answer(self, status, document):
        body = b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def certificate(self):
        """The common name and the thumbprint of the client's certificate; None where it has shown none."""
        raw = self.connection.getpeercert(True)
        if not raw:
            return None
        names = dict(part[0] for part in self.connection.getpeercert()["subject"])
        return names["commonName"], hashlib.sha256(raw).hexdigest()

    def count(self, name):
        COUNTS[name] = COUNTS.get(name, 0) + 1

    def do_GET(self):
        if self.path.startswith("/.well-known/"):
            return self.answer(200, self.server.metadata)
        if self.path == "/counts":
            return self.answer(200, COUNTS)
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        if self.path == "/api/me" and self.certificate() and token in TOKENS:
            client, thumbprint = TOKENS[token]
            if self.certificate()[1] == thumbprint:
                return self.answer(200, {"sub": client})
        return self.answer(401, {"error": "invalid_token"})

    def do_POST(self):
        form = dict(parse_qsl(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()))
        shown = self.certificate()
        if not shown or form.get("client_id") != shown[0] or "Authorization" in self.headers:
            self.count("refused")
            return self.answer(401, {"error": "invalid_client", "error_description": "no such certificate"})
        if self.path == "/revoke":
            self.count("revoke")
            TOKENS.pop(form.get("token"), None)
            return self.answer(200, None)
        if self.path == "/token" and form.get("grant_type") == "client_credentials":
            self.count("token")
            token = secrets.token_urlsafe(24)
            TOKENS[token] = shown
            return self.answer(200, {"access_token": token, "token_type": "Bearer", "expires_in": 600})
        return self.answer(400, {"error": "unsupported_grant_type"})

    def log_message(self, *arguments):
        pass


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def certificates(folder):
    """An authority, a server's certificate, and those of the clients `robot` and `other`."""
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=authority",
            "-keyout", f"{folder}/ca.key", "-out", f"{folder}/ca.pem")
    with open(f"{folder}/san", "w", encoding="utf-8") as file:
        file.write("subjectAltName=IP:127.0.0.1\n")
    for name in ("server", "robot", "other"):
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{folder}/{name}.key",
                "-out", f"{folder}/{name}.csr")
        openssl("x509", "-req", "-days", "2", "-in", f"{folder}/{name}.csr", "-CA", f"{folder}/ca.pem",
                "-CAkey", f"{folder}/ca.key", "-CAcreateserial", "-extfile", f"{folder}/san",
                "-out", f"{folder}/{name}.pem")


def listen(folder, demands):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/server.pem", f"{folder}/server.key")
    if demands:
        context.load_verify_locations(f"{folder}/ca.pem")
        context.verify_mode = ssl.CERT_REQUIRED
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    return server


def main():
    folder = tempfile.mkdtemp(prefix="mtls-")
    try:
        certificates(folder)
        plain, mutual = listen(folder, False), listen(folder, True)
        issuer = f"https://127.0.0.1:{plain.server_port}"
        base = f"https://127.0.0.1:{mutual.server_port}"
        plain.metadata = mutual.metadata = {
            "issuer": issuer, "token_endpoint": f"{issuer}/token", "revocation_endpoint": f"{issuer}/revoke",
            "token_endpoint_auth_methods_supported": ["tls_client_auth"],
            "mtls_endpoint_aliases": {"token_endpoint": f"{base}/token", "revocation_endpoint": f"{base}/revoke"},
        }
        for server in (plain, mutual):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        print(json.dumps({"issuer": issuer, "api": f"{base}/api", "folder": folder}), flush=True)
        sys.stdin.read()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
