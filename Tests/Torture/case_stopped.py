"""The caller is stopped (Ctrl-Z) in the middle of an exchange: no other process waits for it."""
import os
import signal

from place import Place
from row import Row
from session import wait_until


def one(place, row):
    """The exchange comes to its end, the next runs do too, and the caller when it continues."""
    asked = place.lab.asked()
    place.lab.fail("token", "delay", milliseconds=600000, after=True, count=1)
    process = place.start("--verbose", "refresh", place.profile)
    wait_until("the server was asked", lambda: place.lab.asked() > asked)
    os.kill(process.pid, signal.SIGSTOP)
    place.lab.clear_faults()
    outcome = place.refresh()
    row.expect("another one while the caller is stopped", outcome, 0)
    row.check("cut short" not in outcome.error, f"told as cut short: {outcome.error}")
    row.expect("a call while the caller is stopped", place.call(), 0)
    os.kill(process.pid, signal.SIGCONT)
    row.check(process.wait(timeout=90) == 0, f"the caller, when it continues: status {process.returncode}")
    well = place.lab.reuses() == 0 and place.refresh().status == 0 and place.is_alive()
    if not row.check(well, "the session is lost"):
        row.lost += 1
        place.must(place.log_in(), "login after a loss")


def run(torture):
    """What belongs to the stopped process, its open files too, must not block others."""
    row = Row("caller stopped")
    with Place(torture.binaries) as place:
        row.rounds = 1 if torture.short else 20
        for _ in range(row.rounds):
            one(place, row)
        row.exchanges = place.lab.exchanges()
    yield row.end()
