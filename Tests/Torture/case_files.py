"""A fault at each write, synchronization and renaming of a session file: it fails, or the process is killed at it."""
from concurrent.futures import ThreadPoolExecutor

from compiled import library
from place import Place
from row import Row

# The calls of a refresh, each counted in its process; those of the second list come after the exchange.
BEFORE = (("fallocate", 1), ("pwrite", 1), ("ftruncate", 1), ("fsync", 1), ("rename", 1), ("fsync", 2))
AFTER = (("pwrite", 2), ("ftruncate", 2), ("fsync", 3), ("complete", 1), ("fsync", 4))
ERRORS = {"fails": 5, "fails for good": 30, "kills": 0}


def one(place, row, faults, call, way):
    """A refresh or a call under the fault; afterwards the session lives, and no refresh token was sent twice."""
    name, number = call
    told = f"{name} {number} {way}"
    # The response of a process that is killed before it writes is lost: only a server with a grace time forgives that.
    is_lost = way == "kills" and call == AFTER[0]
    place.lab.change(reuse="none" if is_lost else "strict")
    reuses = place.lab.reuses()
    count = 1000 if way == "fails for good" else 1
    environment = {
        **place.environment, "LD_PRELOAD": faults, "TEST_FILE_FAULT": f"{name} {number} {count} {ERRORS[way]}"}
    made = place.lab.exchanges()
    process = place.start("refresh", place.profile, env=environment)
    row.codes[process.wait(timeout=90)] += 1
    place.settle()
    found = place.files_with(place.lab.issued())
    row.check(not found, f"{told}: secrets in the clear in {found}")
    if call in BEFORE:
        row.check(place.lab.exchanges() == made, f"{told}: {place.lab.exchanges() - made} exchanges")
        row.check(way == "kills" or process.returncode == 4, f"{told}: status {process.returncode}, not 4")
    called, renewed = place.call(), place.refresh()
    lives = called.status == 0 and renewed.status == 0 and place.is_alive()
    if not row.check(lives, f"{told}: lost: call {called.status}, refresh {renewed.status}: {renewed.error}"):
        row.lost += 1
        place.must(place.log_in(), "login after a loss")
    row.check(is_lost or place.lab.reuses() == reuses, f"{told}: a spent refresh token was sent")


def rounds(torture, way, count):
    """All rounds of one way, with each call at least once."""
    row = Row(f"session file: a call {way}")
    with Place(torture.binaries, store="file") as place:
        faults = library("filefaults", place.session.folder)
        made = place.lab.exchanges()
        # After the exchange, what fails for good has no end that a test could wait for.
        calls = BEFORE if way == "fails for good" else BEFORE + AFTER
        count = count or len(calls)
        for number in range(count):
            one(place, row, faults, calls[number % len(calls)], way)
        row.rounds, row.exchanges = count, place.lab.exchanges() - made
        row.note = f"{len(place.lab.issued())} secrets issued"
    return row.end()


def run(torture):
    """One place for each way, two of them at a time."""
    with ThreadPoolExecutor(2) as threads:
        yield from threads.map(lambda way: rounds(torture, way, 0 if torture.short else 170), ERRORS)
