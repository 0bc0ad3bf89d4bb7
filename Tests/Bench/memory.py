#!/usr/bin/python3
"""Peak memory of `authctl call` at 1 MiB and 1 GiB, down and up, from a file and from a pipe: memory.py URL FOLDER"""
import os
import subprocess
import sys

MIB, GIB = 1 << 20, 1 << 30


def peak(command, pipe_bytes=None):
    """The peak resident memory of one run, in KiB, as the kernel accounts it."""
    reader, feeder = subprocess.DEVNULL, None
    if pipe_bytes is not None:
        feeder = subprocess.Popen(["head", "-c", str(pipe_bytes), "/dev/zero"], stdout=subprocess.PIPE)
        reader = feeder.stdout
    process = subprocess.Popen(command, stdin=reader, stdout=subprocess.DEVNULL)
    if feeder:
        feeder.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if feeder:
        feeder.wait()
    if process.returncode != 0:
        sys.exit(f"memory.py: exit status {process.returncode} of {' '.join(command)}")
    return usage.ru_maxrss


def main():
    url, folder = sys.argv[1:]
    upload = ["authctl", "call", "-X", "PUT", f"{url}/sink", "--data-binary"]
    kinds = {
        "down": lambda size: peak(["authctl", "call", f"{url}/bytes/{size}"]),
        "up from a file": lambda size: peak(upload + [f"@{folder}/{'mib' if size == MIB else 'gib'}"]),
        # Twice a mebibyte: what ends within the first one is kept in memory by design.
        "up from a pipe": lambda size: peak(upload + ["@-"], pipe_bytes=2 * size if size == MIB else size),
    }
    print("== peak memory of authctl call (the same ±2 MB)")
    for name, measure in kinds.items():
        small, large = (sorted(measure(size) for _ in range(3))[1] for size in (MIB, GIB))
        more = (large - small) / 1024
        print(f"{name:16} 1 MiB {small / 1024:6.1f} MiB   1 GiB {large / 1024:6.1f} MiB   {more:+.1f} MiB")


main()
