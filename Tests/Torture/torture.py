#!/usr/bin/python3
"""Attacks sessions: torture.py DIRECTORY [--short] [--cache TIME] [--seed N] [--only CASE]…

DIRECTORY holds the built authctl and authlab. Everything happens on loopback, in D-Bus sessions of its own with a real
keyring. Prints a table and `N passed, N failed`; exit status 1 when one failed. What is random is made from the seed,
which is printed.
"""
import argparse
import multiprocessing
import os
import random
import resource
import signal
import sys
import traceback
from concurrent.futures import ProcessPoolExecutor

import case_container
import case_dead
import case_down
import case_faults
import case_fence
import case_files
import case_keyring
import case_kill
import case_logout
import case_power
import case_secrets
import case_stopped
import case_storm
import case_stores
import case_watch
from place import Place
from row import Row, table

CASES = {
    "storm": case_storm, "kill": case_kill, "stopped": case_stopped, "power": case_power, "keyring": case_keyring,
    "faults": case_faults, "files": case_files, "dead": case_dead, "down": case_down, "logout": case_logout,
    "fence": case_fence, "secrets": case_secrets, "stores": case_stores,
    "container": case_container, "watch": case_watch,
}
# Crowds of processes, which would slow down whatever runs beside them; the others mostly wait.
CROWDS = ("storm", "dead", "down", "logout")
# They begin first.
LONGEST = ("faults", "stores", "kill")


class Torture:
    """What the cases are told: where the programs are, how long it may take, and the seed."""

    def __init__(self, binaries, short, seed):
        self.binaries, self.short, self.seed = binaries, short, seed
        # In the long form, what ends processes or the server does so with each store.
        self.stores = ("keyring",) if short else ("keyring", "file")

    def chance(self, *names):
        """Randomness for one round alone, so that it can be repeated by itself."""
        return random.Random(f"{self.seed} {names}")


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description="Attacks sessions of authctl.")
    parser.add_argument("directory", help="where authctl and authlab are")
    parser.add_argument("--short", action="store_true", help="few rounds, nothing about time is required")
    parser.add_argument("--cache", metavar="TIME", help="how long each profile keeps its access token in the cache")
    parser.add_argument("--seed", type=int, help="what is random is made from it")
    parser.add_argument("--only", action="append", choices=sorted(CASES), help="these cases only")
    return parser.parse_args()


def attack(torture, name):
    """Runs a case; one that breaks off has failed."""
    rows = []
    try:
        for row in CASES[name].run(torture):
            rows.append(row)
            print("  ".join(cell for cell in row.cells if cell), flush=True)
    except Exception as error:
        row = Row(name)
        row.problem("broke off:\n" + "".join(traceback.format_exception(error)))
        rows.append(row)
    return rows


def main():
    """Runs the cases; in the short form those without a crowd side by side, the longest first."""
    options = arguments()
    Place.cache = options.cache
    seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    torture = Torture(os.path.realpath(options.directory), options.short, seed)
    print(f"== torture, seed {seed}", flush=True)
    # Under nohup it would be ignored by all that is started here, too.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    names = options.only or list(CASES)
    beside = [name for name in names if torture.short and name not in CROWDS]
    done = {name: attack(torture, name) for name in names if name not in beside}
    # Processes, not threads: some cases run code between fork and exec.
    with ProcessPoolExecutor(3, multiprocessing.get_context("fork")) as pool:
        beside.sort(key=lambda name: name not in LONGEST)
        done.update(zip(beside, pool.map(attack, [torture] * len(beside), beside)))
    rows = [row for name in names for row in done[name]]
    failed = sum(bool(row.problems) for row in rows)
    print(f"\n{table(rows)}\n\n{len(rows) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
