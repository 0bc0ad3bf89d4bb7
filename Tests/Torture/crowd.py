"""Many processes at once."""
import os
import select
import subprocess
import time


class Crowd:
    """Starts authctl many times and waits for all: exit statuses and seconds, in the order in which they end."""

    def __init__(self, place, deadline=120):
        self.place, self.deadline = place, deadline
        self.statuses, self.seconds = [], []
        self.running, self.poll = {}, select.poll()
        self.log = open(os.path.join(place.session.folder, f"crowd-{id(self)}"), "ab")
        self.begin = time.monotonic()

    def start(self, *arguments):
        """Starts one more, and looks who has ended."""
        process = self.place.start(*arguments, stdout=subprocess.DEVNULL, stderr=self.log)
        descriptor = os.pidfd_open(process.pid)
        self.running[descriptor] = (process, time.monotonic())
        self.poll.register(descriptor, select.POLLIN)
        self.reap(0)

    def reap(self, milliseconds):
        """Takes down those that have ended."""
        for descriptor, _ in self.poll.poll(milliseconds):
            process, begin = self.running.pop(descriptor)
            self.poll.unregister(descriptor)
            os.close(descriptor)
            self.statuses.append(process.wait())
            self.seconds.append(time.monotonic() - begin)

    def wait(self):
        """Waits until all have ended; returns how long everything took. Processes that miss the deadline are killed."""
        end = time.monotonic() + self.deadline
        while self.running and time.monotonic() < end:
            self.reap(100)
        spent = time.monotonic() - self.begin
        for descriptor, (process, begin) in self.running.items():
            process.kill()
            self.statuses.append("never")
            self.seconds.append(time.monotonic() - begin)
            process.wait()
            os.close(descriptor)
        self.log.close()
        return spent

    def messages(self):
        """What they said, without the notes of -v: each message once."""
        return "\n".join(sorted({line for line in self.said().splitlines() if line.startswith("authctl: ")}))[:2000]

    def said(self):
        """What they wrote to standard error, all of them together."""
        with open(self.log.name, encoding="utf-8", errors="replace") as file:
            return file.read()
