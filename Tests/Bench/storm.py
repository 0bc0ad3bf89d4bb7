#!/usr/bin/python3
"""Many processes at once with an expired token against one-use refresh tokens: storm.py ISSUER COUNT…

Prints for each count the successes, the exchanges that the server saw, and the time, beside that of the same storm
with a valid token.
"""
import json
import subprocess
import sys
import time
import urllib.request


def ask(url, method="GET"):
    with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=10) as answer:
        return answer.read()


def exchanges(issuer):
    counters = json.loads(ask(f"{issuer}/control/counters"))
    return {name: counters.get(name, 0) for name in ("token.refresh_token.ok", "token.refresh_token", "reuse_detected")}


def storm(issuer, count):
    """Seconds and successes of so many calls at once."""
    begin = time.perf_counter()
    processes = [
        subprocess.Popen(["authctl", "--quiet", "call", f"{issuer}/api/me"], stdout=subprocess.DEVNULL)
        for _ in range(count)
    ]
    successes = sum(process.wait() == 0 for process in processes)
    return time.perf_counter() - begin, successes


def main():
    issuer, counts = sys.argv[1], [int(count) for count in sys.argv[2:]]
    print("== storm: processes at once with a token that the server has expired, one-use refresh tokens")
    failed = False
    for count in counts:
        valid_time, valid_successes = storm(issuer, count)
        ask(f"{issuer}/control/expire", "POST")
        before = exchanges(issuer)
        expired_time, successes = storm(issuer, count)
        after = exchanges(issuer)
        made = after["token.refresh_token.ok"] - before["token.refresh_token.ok"]
        reused = after["reuse_detected"] - before["reuse_detected"]
        print(
            f"{count:5} processes: {successes} successes, {made} exchange(s), {reused} reuse; "
            f"{expired_time:.2f} s ÷ {valid_time:.2f} s with a valid token = {expired_time / valid_time:.2f}")
        failed |= successes != count or made != 1 or reused != 0 or valid_successes != count
    sys.exit(1 if failed else 0)


main()
