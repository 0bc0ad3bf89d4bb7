"""Many processes refresh while one watches: it reports each of them, and asks for nothing in between."""
import json
import os
import re
import subprocess
import time

from place import Place
from row import Row
from session import wait_until

IDLE = 5
WAITS = (r"restart_syscall|epoll_|timerfd_|futex|poll\(|poll resumed|\bread\(.* <unfinished|<detached|sigprocmask"
         r"|madvise|munmap|exit")


class Watch:
    """A running `status --watch`, and what it has printed."""

    def __init__(self, place):
        self.path = f"{place.session.folder}/watch"
        with open(self.path, "wb") as output:
            self.process = place.start("status", "--watch", stdout=output)
        wait_until("the first line of the watch", self.events)

    def events(self):
        """All whole lines."""
        with open(self.path, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.endswith("\n")]

    def refreshes(self):
        """How many refreshes were reported, and how many of them were counted only."""
        events = [event for event in self.events() if event["event"] == "refreshed"]
        skipped = sum(event.get("skipped", 0) for event in events)
        return len(events) + skipped, skipped

    def seconds(self):
        """The time that all its threads have had of a core."""
        spent = 0
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{thread}/schedstat", encoding="utf-8") as file:
                spent += int(file.read().split()[0])
        return spent / 1e9

    def calls(self, folder):
        """The system calls besides those that wait, while nothing happens."""
        path = f"{folder}/strace"
        tracer = subprocess.Popen(
            ["strace", "-f", "-qq", "-o", path, "-p", str(self.process.pid)], stderr=subprocess.DEVNULL)
        time.sleep(IDLE)
        tracer.terminate()
        tracer.wait()
        with open(path, encoding="utf-8") as file:
            # An event loop with its timer, and a thread that ends, reach neither the keyring nor a file.
            return [line for line in file.read().splitlines() if not re.search(WAITS, line)]

    def end(self):
        """Ends it; returns its exit status."""
        self.process.terminate()
        return self.process.wait(timeout=120)


def run(torture):
    """How much of a core the watch takes is printed."""
    count = 100 if torture.short else 1000
    row = Row(f"watch, {count} refreshes")
    row.rounds = count
    with Place(torture.binaries) as place:
        watch = Watch(place)
        # It may not have come to rest yet; one that looks again and again never does.
        calls = watch.calls(place.session.folder) and watch.calls(place.session.folder)
        row.check(not calls, f"system calls while nothing happened: {calls[:5]}")
        before, begin = watch.seconds(), time.monotonic()
        for _ in range(count):
            row.expect("a refresh", place.refresh(), 0)
        wait_until(f"{count} refreshes are reported", lambda: watch.refreshes()[0] >= count)
        share = (watch.seconds() - before) / (time.monotonic() - begin)
        reported, skipped = watch.refreshes()
        row.check(reported == count, f"{reported} refreshes were reported")
        row.exchanges = place.lab.exchanges()
        row.note = f"{skipped} counted only, {share:.2%} of a core"
        status = watch.end()
        row.check(status == 143, f"the watch ended with {status}")
    yield row.end()
