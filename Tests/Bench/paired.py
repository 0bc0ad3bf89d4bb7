#!/usr/bin/python3
"""Compares two commands by paired runs: paired.py [options] NAME -- COMMAND… -- COMMAND…

Runs both in turn, the order swapped from pair to pair, and prints the median time of each and the median, minimum and
maximum of the pairs' ratios (first ÷ second): what slows the machine down for a moment slows both. Output of the
commands is thrown away; one that fails ends the comparison. Exit status: 0, or 1 if a command failed.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time


class Failure(Exception):
    """A command that did not end with 0."""


def run(command, source=subprocess.DEVNULL):
    """Seconds from fork to the end of one run, and its peak resident memory in KiB, as the kernel accounts it.

    The memory is never less than that of this program, about 20 MiB.
    """
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdin=source, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failure(f"exit status {process.returncode} of {' '.join(command)[:200]}")
    return seconds, usage.ru_maxrss


def compare(commands, runs):
    """The times of the pairs; some before them do not count."""
    pairs = []
    for number in range(-min(2, runs), runs):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        times = [0.0, 0.0]
        for index in order:
            times[index] = run(commands[index])[0]
        if number >= 0:
            pairs.append(times)
    return pairs


def ratio(pairs):
    """The median of the pairs' ratios, and all that is to be said of them."""
    ratios = sorted(one / two for one, two in pairs)
    first, second = (statistics.median(pair[index] for pair in pairs) * 1000 for index in (0, 1))
    median = statistics.median(ratios)
    return median, (f"{median:5.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}), {first:.1f} ms ÷ {second:.1f} ms, "
                    f"{len(pairs)} pairs")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30, help="pairs, after two that do not count (%(default)s)")
    parser.add_argument("name")
    words, commands = sys.argv[1:], []
    while "--" in words:
        cut = len(words) - 1 - words[::-1].index("--")
        commands.insert(0, words[cut + 1:])
        words = words[:cut]
    if len(commands) != 2 or not all(commands):
        parser.error("two commands are needed, each after a --")
    options = parser.parse_args(words)
    try:
        print(f"{options.name}: {ratio(compare(commands, options.runs))[1]}")
    except (Failure, OSError) as failure:
        print(f"paired.py: {options.name}: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
