#!/usr/bin/python3
"""Serves the files of a folder over HTTP with a token: enough for git's dumb protocol (gitprotocol-http(5)).

    git_server.py FOLDER

Takes `Authorization: Bearer TOKEN`, and HTTP Basic with the token as the password; anything else is answered with 401.
The token is the first line of standard input. Prints its port on one line when it serves, and ends with its input.
"""
import base64
import functools
import http.server
import sys
import threading


class Handler(http.server.SimpleHTTPRequestHandler):
    """A folder behind a token."""

    token = ""

    def is_allowed(self):
        scheme, _, credentials = self.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "basic":
            credentials = base64.b64decode(credentials).decode().partition(":")[2]
        return credentials == self.token

    def do_GET(self):
        if self.is_allowed():
            return super().do_GET()
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="git"')
        self.send_header("Content-Length", "0")
        return self.end_headers()

    def log_message(self, *arguments):
        pass


def main():
    Handler.token = sys.stdin.readline().strip()
    handler = functools.partial(Handler, directory=sys.argv[1])
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(server.server_port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
