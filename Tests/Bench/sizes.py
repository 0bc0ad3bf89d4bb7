"""Cost against size: what a command takes with more profiles, items, lines, or bytes."""
import os
import re
import statistics
import subprocess

from paired import compare, ratio, run

MIB, GIB = 1 << 20, 1 << 30
FOREIGN = """[keyring]
display-name=Foreign
lock-on-idle=false
lock-after=false
"""
ITEM = """
[{0}]
item-type=0
display-name=item {0}
secret=of another program
[{0}:attribute0]
name=foreign
type=string
value={0}
"""


def show(name, text):
    """Prints a line."""
    print(f"{name:36} {text}", flush=True)


def milliseconds(command, runs):
    """The median time of some runs, after one that does not count."""
    return statistics.median([run(command)[0] for _ in range(runs + 1)][1:]) * 1000


def peak(process):
    """The peak resident memory of a running process."""
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        line = next(line for line in file if line.startswith("VmHWM:"))
    return f"{int(line.split()[1]) // 1024} MiB"


def allow(place, origins):
    """Lets the profile send its token to these origins, too."""
    path = f"{place.session.folder}/c/authctl/profiles/{place.profile}.toml"
    with open(path, "r+", encoding="utf-8") as file:
        listed = ", ".join(f'"{origin}"' for origin in [f"{place.lab.origin}/api", *origins])
        text = re.sub("^api = .*$", f"api = [{listed}]", file.read(), flags=re.MULTILINE)
        file.seek(0)
        file.truncate()
        file.write(text)
    return len(text)


def batch_file(folder, url, count):
    """The lines of a batch."""
    path = f"{folder}/lines-{count}"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{url}/items/{number}\n" for number in range(count))
    return path


def config_file(folder, url, count):
    """The same requests for curl."""
    path = f"{folder}/config-{count}"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f'url = "{url}/items/{number}"\n' for number in range(count))
    return path


def profiles(place, runs):
    """`token` and `status` beside profiles that are not logged in."""
    made = 1
    for count in (1, 10, 100, 1000):
        for number in range(made, count):
            place.write_profile(f"other-{number}")
        made = count
        token = milliseconds(["authctl", "token", "-p", place.profile], runs)
        status = milliseconds(["authctl", "status"], min(runs, 3) if count == 1000 else runs)
        show(f"profiles: {count:,}", f"token {token:.1f} ms, status {status:.1f} ms")


def profile_bytes(place, runs):
    """`token` with a short profile and with one that lists as many origins as a file may hold."""
    for size in (1 << 10, 64 << 10):
        count = (size - allow(place, [])) // len(', "https://api-0000.example.com/"')
        size = allow(place, [f"https://api-{number:04}.example.com/" for number in range(count)])
        show(f"profile of {size / 1024:.0f} KiB", f"token {milliseconds(['authctl', 'token'], runs):.1f} ms")
    # What is measured next has a short profile again.
    allow(place, [])


def keyrings(place, runs):
    """`token` beside the items of other programs, in a collection that is read when the keyring starts."""
    lookup = ["secret-tool", "lookup", "application", "authctl", "profile", place.profile, "kind", "tokens"]
    for count in (10, 2000):
        place.session.kill_keyring()
        with open(f"{place.session.folder}/d/keyrings/foreign.keyring", "w", encoding="utf-8") as file:
            file.write(FOREIGN + "".join(ITEM.format(number) for number in range(1, count + 1)))
        place.session.start_keyring()
        run(["secret-tool", "lookup", "foreign", str(count)])
        text = ratio(compare([["authctl", "token"], lookup], runs))[1]
        show(f"foreign items in the keyring: {count:,}", f"token ÷ secret-tool lookup {text.strip()}")


def batches(folder, url, runs):
    """Time of a request, and peak memory, of a batch."""
    for count in (10, 100, 1000, 10000, 100000):
        command = ["authctl", "call", "--batch", batch_file(folder, url, count), "--parallel", "20"]
        times, peaks = zip(*(run(command) for _ in range(1 if count == 100000 else runs)))
        show(f"batch of {count:,}", f"{statistics.median(times) / count * 1e6:.0f} µs a request, "
             f"{statistics.median(peaks) / 1024:.1f} MiB at most")


def bodies(folder, url, runs):
    """Peak memory of `call` at 1 MiB and 1 GiB, down and up, from a file and from a pipe."""
    upload = ["authctl", "call", "-X", "PUT", f"{url}/count", "--data-binary"]

    def down(size):
        return run(["authctl", "call", f"{url}/bytes/{size}"])[1]

    def from_file(size):
        os.truncate(f"{folder}/gib", size)
        return run([*upload, f"@{folder}/gib"])[1]

    def from_pipe(size):
        # Twice a mebibyte: what ends within the first one is kept in memory by design.
        with subprocess.Popen(["head", "-c", str(max(size, 2 * MIB)), "/dev/zero"], stdout=subprocess.PIPE) as feeder:
            return run([*upload, "@-"], feeder.stdout)[1]

    for name, measure in {"down": down, "up from a file": from_file, "up from a pipe": from_pipe}.items():
        small, large = (statistics.median(measure(size) for _ in range(runs)) / 1024 for size in (MIB, GIB))
        show(f"body {name}", f"{small:.1f} MiB of memory for 1 MiB, {large:.1f} MiB for 1 GiB (the same ±2 MiB)")
