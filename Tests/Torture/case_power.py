"""Caller and background process are killed between sent and saved, as by the loss of power, or the latter alone."""
import os
import signal

from place import Place
from row import Row
from session import wait_until

# What the server does with the request that was under way, and with the old refresh token afterwards.
SITUATIONS = (
    ("power lost, strict server", "delay", "strict", 3), ("power lost, server with grace", "delay", "none", 0),
    ("power lost, request never arrived", "hang", "strict", 0),
    ("background process killed, strict server", "delay", "strict", 3),
    ("background process killed, request never arrived", "hang", "strict", 0),
)


def kill(place, row, process, alone):
    """Kills the background process, alone or with its caller."""
    if not alone:
        killed = place.end_all()
        row.check(killed == 2, f"{killed} processes were killed, not caller and background process")
        process.wait()
        return
    others = [number for number in place.processes() if number != process.pid]
    if row.check(len(others) == 1, f"{len(others)} background processes"):
        os.kill(others[0], signal.SIGKILL)
    row.codes[process.wait(timeout=90)] += 1
    row.check(process.returncode in (1, 5), f"the caller of who was killed: status {process.returncode}")


def one(place, row, kind, status):
    """Kills in the middle; the next run says so, and tries the old refresh token once."""
    asked, made = place.lab.asked(), place.lab.exchanges()
    reuses = place.lab.reuses()
    more = {"milliseconds": 600000, "after": True} if kind == "delay" else {}
    place.lab.fail("token", kind, count=1, **more)
    process = place.start("refresh", place.profile)
    if kind == "delay":
        wait_until("the server has refreshed", lambda: place.lab.exchanges() > made)
    else:
        wait_until("the server was asked", lambda: place.lab.asked() > asked)
    kill(place, row, process, row.case.startswith("background"))
    place.lab.clear_faults()
    asked = place.lab.asked()
    shown = place.run("status", place.profile)
    row.check(shown.status == 0 and place.lab.asked() == asked, f"status: {shown.status}: {shown.error}")
    outcome = place.refresh()
    row.expect("the next run", outcome, status)
    row.check("cut short" in outcome.error, f"the next run does not report what happened: {outcome.error}")
    row.check(place.lab.asked() == asked + 1, f"the old refresh token was tried {place.lab.asked() - asked} times")
    if status == 3:
        row.check(place.lab.reuses() == reuses + 1, f"{place.lab.reuses() - reuses} reuses")
        row.check("authctl login" in outcome.error, f"the next run does not say what to do: {outcome.error}")
        row.expect("the run after it", place.call(), 3)
        row.check(place.lab.asked() == asked + 1, "the run after it asked again")
        place.must(place.log_in(), "the login")
    elif not row.check(outcome.status == 0 and place.call().status == 0 and place.is_alive(), "the session is lost"):
        row.lost += 1
        place.must(place.log_in(), "login after a loss")
    again = place.refresh()
    row.check(again.status == 0 and "cut short" not in again.error, f"it is reported twice: {again.error}")


def run(torture):
    """A server that takes a spent refresh token for theft ends the session: that end is reported, and not our loss."""
    for store, (case, kind, reuse, status) in [(store, it) for store in torture.stores for it in SITUATIONS]:
        row = Row(case if store == "keyring" else f"{case}, {store}")
        with Place(torture.binaries, store=store) as place:
            place.lab.change(reuse=reuse)
            made = place.lab.exchanges()
            row.rounds = 2 if torture.short else 20
            for _ in range(row.rounds):
                one(place, row, kind, status)
            row.exchanges = place.lab.exchanges() - made
        yield row.end()
