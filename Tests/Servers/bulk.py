#!/usr/bin/env python3
"""A server on loopback that sends and takes many bytes fast, for benchmarks; its first line of output is the port.

GET /bytes/N         answers with N bytes
GET /echo            answers with the request's header as it came
POST or PUT, any     reads a body with a length or in chunks and answers with its size; ?digest=1: its SHA-256 too
Anything else is answered with 404. Connections are kept open.
"""

import hashlib
import socket
import sys
import threading

SIZE = 1 << 20
BLOCK = bytes(range(256)) * (SIZE // 256)


class Connection:
    """One kept connection; bytes are read into one buffer that is never copied when they are only counted."""

    def __init__(self, peer):
        self.peer = peer
        self.rest = b""

    def more(self):
        data = self.peer.recv(65536)
        if not data:
            raise EOFError
        self.rest += data

    def until(self, mark):
        while mark not in self.rest:
            self.more()
        taken, _, self.rest = self.rest.partition(mark)
        return taken

    def skip(self, count, digest):
        taken = self.rest[:count]
        self.rest = self.rest[len(taken):]
        count -= len(taken)
        if digest:
            digest.update(taken)
        buffer = bytearray(min(count, SIZE))
        view = memoryview(buffer)
        while count > 0:
            size = self.peer.recv_into(view[: min(count, SIZE)])
            if size == 0:
                raise EOFError
            if digest:
                digest.update(view[:size])
            count -= size

    def body(self, fields, digest):
        if fields.get("transfer-encoding", "").lower() != "chunked":
            size = int(fields.get("content-length", "0"))
            self.skip(size, digest)
            return size
        total = 0
        while size := int(self.until(b"\r\n").split(b";")[0], 16):
            self.skip(size, digest)
            self.until(b"\r\n")
            total += size
        while self.until(b"\r\n"):
            pass
        return total

    def answer(self, status, body):
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n"
        self.peer.sendall(head.encode() + body)

    def serve_one(self):
        head = self.until(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ", 2)
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if fields.get("expect", "").lower() == "100-continue":
            self.peer.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if method in ("POST", "PUT"):
            digest = hashlib.sha256() if "digest=1" in target else None
            count = self.body(fields, digest)
            self.answer("200 OK", f"{count}{' ' + digest.hexdigest() if digest else ''}\n".encode())
        elif target.startswith("/bytes/"):
            left = int(target.removeprefix("/bytes/"))
            self.peer.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {left}\r\n\r\n".encode())
            while left > 0:
                self.peer.sendall(BLOCK if left >= SIZE else BLOCK[:left])
                left -= SIZE
        elif target == "/echo":
            self.answer("200 OK", head + b"\r\n")
        else:
            self.answer("404 Not Found", b"there is nothing here\n")

    def serve(self):
        self.peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self.peer:
            try:
                while True:
                    self.serve_one()
            except (EOFError, OSError, ValueError):
                return  # The client has gone, or what it says is not HTTP.


def main():
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            peer, _ = listener.accept()
            threading.Thread(target=Connection(peer).serve, daemon=True).start()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
