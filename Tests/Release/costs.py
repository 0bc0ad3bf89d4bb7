#!/usr/bin/python3
"""Counts what a run of some commands costs and compares it with costs.txt: costs.py AUTHCTL FOLDER

AUTHCTL is the program as it is built for use; FOLDER holds authlab, and an authctl that logs in. Nothing is timed: what
is counted on one processor differs by 5 % at most from run to run, and the lowest of up to three runs is compared. What
is more than 5 % above its figure in costs.txt fails.

    AUTHCTL_REGENERATE=1 Tests/Release/costs.py .build/release/authctl .build/debug

writes costs.txt with the highest of three runs. The figures belong to one system, which the first line names; on
another one nothing is compared, because the libraries of each system start differently.
"""
import os
import platform
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Torture"))
from place import Place  # noqa: E402

STORED = os.path.join(HERE, "costs.txt")
ROOM, RUNS = 0.05, 3
# A figure that is so far below the stored one is worth storing.
LOW = 0.85
AGAIN = "AUTHCTL_REGENERATE=1 Tests/Release/costs.py .build/release/authctl .build/debug"
# How often a thread waits for another or wakes it is chance, a fifth of all calls.
WAITING = {"futex", "poll", "epoll_wait", "eventfd2"}
NEW_THREAD = {"clone", "clone3", "fork", "vfork"}
COLUMNS = ("instructions", "system calls", "files", "threads")


class Failure(Exception):
    """A command that did not end with 0."""


def run(words, environment):
    """Runs a command to its end."""
    ended = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, check=False)
    if ended.returncode != 0:
        raise Failure(f"exit status {ended.returncode} of {' '.join(words)}: {ended.stderr.decode()[-1000:]}")


def instructions(command, environment, out):
    """The instructions that ran in the program itself.

    Those of libraries do not count: they depend on versions, and on the processor, for which libc chooses functions.
    """
    run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--compress-strings=no", "--compress-pos=no",
         *command], environment)
    total, inside, of_callee = 0, False, False
    with open(out, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("ob="):
                inside = line[3:].strip() == command[0]
            elif line.startswith("calls="):
                of_callee = True
            elif line[0].isdigit():
                total += int(line.split()[1]) if inside and not of_callee else 0
                of_callee = False
    if total == 0:
        raise Failure(f"callgrind counted nothing in {command[0]}")
    return total


def system_calls(command, environment, out):
    """The system calls but those that wait, the files opened, the threads and processes started."""
    run(["strace", "-f", "-c", "-o", out, *command], environment)
    calls = files = threads = 0
    with open(out, encoding="utf-8") as file:
        for words in map(str.split, file):
            # The share, seconds, microseconds a call, calls, errors where there were any, and the name.
            if not 5 <= len(words) <= 6 or not words[3].isdigit() or words[-1] == "total":
                continue
            name, count, errors = words[-1], int(words[3]), int(words[4]) if len(words) == 6 else 0
            calls += 0 if name in WAITING else count
            files += count - errors if name in ("open", "openat") else 0
            threads += count - errors if name in NEW_THREAD else 0
    return calls, files, threads


def measure(place, choose, is_enough):
    """The figures of each command, in the order of COLUMNS: of those of its runs, until they are enough, the one that
    is chosen.
    """
    token, call = ["token", "-p", place.profile], ["call", "-p", place.profile, "me"]
    cached = ["--cache", "5m"]
    # The same order in each dictionary, in each run.
    environment = {**place.environment, "SWIFT_DETERMINISTIC_HASHING": "1"}
    # A hit needs no bus: without one, a miss is an error.
    without_bus = {**environment, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={place.session.folder}/none"}
    run([place.binary, *token, *cached], environment)
    out = os.path.join(place.session.folder, "out")
    figures = {}
    for name, words, variables in (
            ("--version", ["--version"], environment), ("token", token, environment),
            ("token, cached", token + cached, without_bus), ("call", call, environment),
            ("call, cached", call + cached, without_bus)):
        command = [place.binary, *words]
        rows = []
        while len(rows) < RUNS and not (rows and is_enough(name, figures[name])):
            rows.append((instructions(command, variables, out), *system_calls(command, variables, out)))
            figures[name] = [choose(column) for column in zip(*rows)]
    return figures


def system():
    """What the figures belong to, such as debian-12-x86_64."""
    release = platform.freedesktop_os_release()
    return f"{release['ID']}-{release.get('VERSION_ID', '')}-{platform.machine()}"


def write(figures):
    """Writes costs.txt."""
    rows = [("", *COLUMNS), *((name, *map(str, row)) for name, row in figures.items())]
    with open(STORED, "w", encoding="utf-8") as file:
        file.write(f"{system()}\n# {AGAIN} writes this file.\n")
        for name, *cells in rows:
            file.write(f"{name or '#':14}" + "".join(f"{cell:>14}" for cell in cells) + "\n")


def stored():
    """The system and the figures of costs.txt."""
    with open(STORED, encoding="utf-8") as file:
        first, *lines = file.read().splitlines()
    rows = (line.rsplit(maxsplit=len(COLUMNS)) for line in lines if not line.startswith("#"))
    return first, {name: list(map(int, cells)) for name, *cells in rows}


def most(kept):
    """The limit of a stored figure."""
    return int(kept * (1 + ROOM))


def compare(figures, limits):
    """Returns how many figures are within their limits, and how many are above."""
    passed = failed = lower = 0
    for name, row in figures.items():
        for column, figure, kept in zip(COLUMNS, row, limits.get(name, [0] * len(row))):
            if figure > most(kept):
                failed += 1
                print(f"costs.py: {name}: {figure:,} {column}, at most {most(kept):,}")
                continue
            passed += 1
            if figure < kept * LOW:
                lower += 1
                print(f"costs.py: {name}: {figure:,} {column}, far below {most(kept):,}")
    if failed:
        print(f"costs.py: if the change is worth what it costs: {AGAIN}")
    elif lower:
        print(f"costs.py: the limits can be lowered: {AGAIN}")
    return passed, failed


def main():
    binary, binaries = map(os.path.realpath, sys.argv[1:])
    is_written = os.environ.get("AUTHCTL_REGENERATE") == "1"
    there, limits = stored()

    def is_enough(name, row):
        return not is_written and all(figure <= most(kept) for figure, kept in zip(row, limits.get(name, ())))

    # With two, it is chance which thread comes first: which of two makes what both need, and what one leaves undone.
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    try:
        with Place(binaries) as place:
            place.binary = binary
            figures = measure(place, max if is_written else min, is_enough)
    except Failure as failure:
        print(f"costs.py: {failure}\n0 passed, 1 failed")
        return 1
    if is_written:
        write(figures)
        there, limits = stored()
    for name, row in figures.items():
        print(f"{name}: " + ", ".join(f"{figure:,} {column}" for figure, column in zip(row, COLUMNS)))
    here = system()
    if here != there:
        print(f"costs.py: this is {here}, and the figures of costs.txt are of {there}: nothing is compared")
    passed, failed = compare(figures, limits) if here == there else (0, 0)
    print(f"{passed} passed, {failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
