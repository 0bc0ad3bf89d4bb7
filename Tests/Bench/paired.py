#!/usr/bin/python3
"""Compares two commands by paired runs: paired.py [options] NAME -- COMMAND… -- COMMAND…

Runs both in turn, the order swapped from pair to pair, and prints the median time of each and the median of the
pairs' ratios (first ÷ second): what slows the machine down for a moment slows both. Output of the commands is thrown
away; one that fails ends the comparison. Exit status: 0, 1 where a command failed or the limit is exceeded.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time


class Failure(Exception):
    """A command that did not end with 0."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30, help="pairs, after two that do not count (%(default)s)")
    parser.add_argument("--limit", type=float, help="the ratio that is too much")
    parser.add_argument("--input", default=os.devnull, metavar="FILE", help="standard input of each run")
    parser.add_argument("name")
    words, commands = sys.argv[1:], []
    while "--" in words:
        cut = len(words) - 1 - words[::-1].index("--")
        commands.insert(0, words[cut + 1:])
        words = words[:cut]
    if len(commands) != 2 or not all(commands):
        parser.error("two commands are needed, each after a --")
    return parser.parse_args(words), commands


def run(command, input_file):
    """Seconds from fork to the end of one run."""
    with open(input_file, "rb") as source:
        begin = time.perf_counter()
        status = subprocess.run(command, stdin=source, stdout=subprocess.DEVNULL, check=False).returncode
        end = time.perf_counter()
    if status != 0:
        raise Failure(f"exit status {status} of {command[0]}")
    return end - begin


def compare(commands, runs, input_file):
    """The times of the counted pairs."""
    pairs = []
    for number in range(-2, runs):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        times = [0.0, 0.0]
        for index in order:
            times[index] = run(commands[index], input_file)
        if number >= 0:
            pairs.append(times)
    return pairs


def main():
    options, commands = arguments()
    try:
        pairs = compare(commands, options.runs, options.input)
    except (Failure, OSError) as failure:
        print(f"paired.py: {options.name}: {failure}", file=sys.stderr)
        return 1
    first, second = (statistics.median(pair[index] for pair in pairs) * 1000 for index in (0, 1))
    ratios = sorted(one / two for one, two in pairs)
    ratio = statistics.median(ratios)
    low, high = ratios[len(ratios) // 4], ratios[len(ratios) * 3 // 4]
    print(f"{options.name}: {first:.1f} ms ÷ {second:.1f} ms = {ratio:.2f} "
          f"(half of the pairs between {low:.2f} and {high:.2f}; {len(pairs)} pairs)")
    if options.limit is not None and ratio > options.limit:
        print(f"paired.py: {options.name}: {ratio:.2f} is above {options.limit:g}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
