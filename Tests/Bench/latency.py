#!/usr/bin/python3
"""How long a line of a stream of events takes from the server to the reader of the client's output, for two clients in
turn: latency.py NAME -- COMMAND… -- COMMAND…

In the commands, URL stands for the stream's address. The server writes a line with its time each half millisecond; the
reader stands behind a pipe and notes when it comes. Prints for each the median and the 99th percentile, and the ratios
(first ÷ second). LINES lines a run (10000 unless set), two runs of each, the order swapped.
"""
import multiprocessing
import os
import socket
import statistics
import subprocess
import sys
import time

LINES = int(os.environ.get("LINES_OF_STREAM", "10000"))
PAUSE = 0.0005
HEAD = (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n")


def stream(peer):
    """One response: a chunk for each event, as servers of events send them."""
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    request = b""
    while b"\r\n\r\n" not in request:
        request += peer.recv(65536)
    peer.sendall(HEAD)
    for _ in range(LINES):
        time.sleep(PAUSE)
        event = b"data: %d\n\n" % time.monotonic_ns()
        peer.sendall(b"%x\r\n%s\r\n" % (len(event), event))
    peer.sendall(b"0\r\n\r\n")


def serve(listener):
    while True:
        peer, _ = listener.accept()
        with peer:
            stream(peer)


def measured(command):
    """How long each line took, in microseconds."""
    times, rest = [], b""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        while part := os.read(process.stdout.fileno(), 65536):
            now = time.monotonic_ns()
            *lines, rest = (rest + part).split(b"\n")
            times += [(now - int(line.removeprefix(b"data: "))) / 1000 for line in lines if line]
    if process.returncode != 0 or len(times) != LINES:
        sys.exit(f"latency.py: exit status {process.returncode} of {command[0]}, {len(times)} lines")
    return times


def main():
    words = sys.argv[1:]
    first = words.index("--")
    second = words.index("--", first + 1)
    name, commands = words[0], [words[first + 1:second], words[second + 1:]]
    with socket.create_server(("127.0.0.1", int(os.environ.get("STREAM_PORT", "0")))) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/events"
        server = multiprocessing.Process(target=serve, args=(listener,), daemon=True)
        server.start()
        times = [[], []]
        for order in ((0, 1), (1, 0)):
            for index in order:
                times[index] += measured([url if word == "URL" else word for word in commands[index]])
        server.terminate()
    for label, figure in (("median", statistics.median), ("p99", lambda all: statistics.quantiles(all, n=100)[98])):
        one, two = figure(times[0]), figure(times[1])
        print(f"{name}, {label}: {one:.0f} µs ÷ {two:.0f} µs = {one / two:.2f} ({len(times[0])} lines each)")


main()
