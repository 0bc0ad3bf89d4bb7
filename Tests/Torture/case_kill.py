"""The process group of the caller is killed or signalled, or loses its terminal, at any moment of a refresh."""
import os
import signal
import statistics
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from place import Place
from row import Row
from session import wait_until

# What each end of a caller may look like from outside, where it was not at its end already.
ENDS = {
    "SIGKILL to the group": -signal.SIGKILL, "SIGTERM to the group": 143, "SIGINT to the group": 130,
    "SIGHUP to the group": 129, "terminal gone": 129,
}


def start(place, words, terminal):
    """Starts the caller; with a terminal it becomes the controlling one, whose other end is given back."""
    if not terminal:
        return place.start(*words), None
    master, slave = os.openpty()
    name = os.ttyname(slave)
    # The first terminal that the leader of a session opens is its controlling one.
    process = subprocess.Popen(
        ["/bin/sh", "-c", 'tty=$1; shift; exec "$@" <>"$tty" >&0 2>&0', "sh", name, place.binary, *words],
        env=place.environment, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    os.close(slave)
    # Only then can the shell no longer find its terminal closed.
    wait_until("the shell has become the program", lambda: is_running(process, place.binary))
    return process, master


def is_running(process, binary):
    """Whether a process runs the program, or has ended."""
    return process.poll() is not None or os.path.realpath(f"/proc/{process.pid}/exe") == os.path.realpath(binary)


def stop(process, end, master):
    """Ends the caller that way; the seconds until it is gone."""
    begin = time.monotonic()
    if master is not None:
        os.close(master)
    else:
        try:
            os.killpg(process.pid, getattr(signal, end.split()[0]))
        except ProcessLookupError:
            pass  # It had ended already.
    process.wait(timeout=90)
    return time.monotonic() - begin


def one(place, row, end, chance, usual):
    """A refresh, its end, and whether the session lives; the seconds that the end took."""
    delay = chance.randrange(301)
    after = chance.random() < 0.7
    # With the trace, the background process writes to one that is gone.
    command = chance.choice([["refresh"], ["call", "me"], ["refresh", "--verbose"]])
    moment = chance.uniform(0, usual + delay / 1000)
    told = f"{' '.join(command)}, server {delay} ms {'after' if after else 'before'}, after {moment * 1000:.0f} ms"
    before, asked = place.lab.reuses(), place.lab.asked()
    place.lab.expire()
    place.lab.fail("token", "delay", milliseconds=delay, after=after, count=1)
    process, master = start(place, command + ["--profile", place.profile], end == "terminal gone")
    time.sleep(moment)
    spent = stop(process, end, master)
    row.codes[process.returncode] += 1
    # Before its first instruction a program can't catch a signal; to a shell it is the same status.
    early = {128 - ENDS[end]} if ENDS[end] > 0 and place.lab.asked() == asked else set()
    row.check(process.returncode in {0, ENDS[end]} | early, f"{told}: status {process.returncode}")
    renewed, called = place.refresh(), place.call()
    place.lab.clear_faults()
    lives = renewed.status == 0 and called.status == 0 and place.lab.reuses() == before and place.is_alive()
    if not row.check(lives, f"{told}: lost: refresh {renewed.status}, call {called.status}, "
                            f"{place.lab.reuses() - before} reuse: {renewed.error} {called.error}"):
        row.lost += 1
        place.settle()
        place.must(place.log_in(), "login after a loss")
    row.check("cut short" not in renewed.error, f"{told}: reported as cut short: {renewed.error}")
    return spent


def rounds(torture, store, end, count):
    """All rounds of one kind of end."""
    row = Row(end if store == "keyring" else f"{end}, {store}")
    with Place(torture.binaries, store=store) as place:
        usual = statistics.median(place.refresh().seconds for _ in range(3))
        before = place.lab.exchanges()
        spent = [one(place, row, end, torture.chance(end, number), usual) for number in range(count)]
        row.rounds, row.exchanges = count, place.lab.exchanges() - before
        place.settle()
        row.note = f"gone after {statistics.median(spent) * 1000:.0f} ms, at most {max(spent) * 1000:.0f} ms"
    return row.end()


def run(torture):
    """One place for each kind of end, two of them at a time: most of it is waiting."""
    with ThreadPoolExecutor(2) as threads:
        yield from threads.map(
            lambda pair: rounds(torture, *pair, (20 if "KILL" in pair[1] else 10) if torture.short else 200),
            [(store, end) for store in torture.stores for end in ENDS])
