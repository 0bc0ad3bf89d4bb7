"""The keyring is locked, or killed, or its bus is, before, during or after an exchange."""
import ctypes
import os
import platform

from place import Place
from row import Row
from session import wait_until

FAULTS = ("locked", "daemon killed", "bus killed")


def strike(session, fault):
    """Makes the keyring unusable."""
    if fault == "locked":
        session.lock()
    else:
        session.kill_keyring()
        if fault == "bus killed":
            session.kill_bus()


def restore(session, fault):
    """Makes it usable again, on the data that is there."""
    if fault == "locked":
        session.unlock()
    else:
        if fault == "bus killed":
            session.start_bus()
        session.start_keyring()


def before(place, row, fault):
    """Nothing is sent."""
    asked = place.lab.asked()
    strike(place.session, fault)
    row.expect(f"{fault} before", place.refresh(), 4)
    row.check(place.lab.asked() == asked, f"{fault} before: something was sent")
    restore(place.session, fault)


def during(place, row, fault, soon, command):
    """The new pair can't be stored: it is kept in memory, and restored."""
    asked, made = place.lab.asked(), place.lab.exchanges()
    place.lab.expire()
    place.lab.fail("token", "delay", milliseconds=600000, after=True, count=1)
    with open(f"{place.session.folder}/during", "w+", encoding="utf-8") as error:
        process = place.start(*command, "--profile", place.profile, stderr=error)
        wait_until("the server has refreshed", lambda: place.lab.exchanges() > made)
        strike(place.session, fault)
        place.lab.clear_faults()
        if soon:
            # It may be stored in time.
            restore(place.session, fault)
        process.wait(timeout=100)
        error.seek(0)
        said = error.read()
    told = f"{fault} during {command[0]}{', for a moment' if soon else ''}"
    row.codes[process.returncode] += 1
    place.settle()
    if not soon:
        # A call continues with the new token; a refresh reports that the pair is not stored.
        row.check(process.returncode == (4 if command[0] == "refresh" else 0), f"{told}: {process.returncode}: {said}")
        row.check("kernel's memory" in said, f"{told}: not told where the tokens are: {said}")
        shown = place.run("status", place.profile)
        row.check("kernel's memory" in shown.error, f"{told}: status does not report it: {shown.status} {shown.error}")
        restore(place.session, fault)
    row.check(process.returncode in (0, 4), f"{told}: status {process.returncode}: {said}")
    row.expect(f"{told}, the next run", place.run("token", "--profile", place.profile), 0)
    row.check(place.lab.asked() == asked + 1, f"{told}: asked {place.lab.asked() - asked} times")
    pair = place.stored()
    found = place.files_with([pair["refresh_token"], pair["access_token"]]) if pair else []
    row.check(not found, f"{told}: a token is in {found}")


def kernel_keeps_keys():
    """Whether add_key(2) is allowed here; in most containers it is not, and the keyring must come back at once."""
    number = {"x86_64": 248, "aarch64": 217}[platform.machine()]
    of_this_process = -2
    return ctypes.CDLL(None).syscall(number, b"user", b"torture", b"x", 1, of_this_process) >= 0


def after(place, row, fault):
    """What was stored is there later."""
    row.expect(f"{fault} after, the exchange", place.refresh(), 0)
    strike(place.session, fault)
    row.expect(f"{fault} after", place.refresh(), 4)
    restore(place.session, fault)


def one(place, row, moment, fault, soon, command):
    """One round, and whether the session lives."""
    reuses = place.lab.reuses()
    if moment == "during":
        during(place, row, fault, soon, command)
    else:
        {"before": before, "after": after}[moment](place, row, fault)
    # Not the check of the run itself: what is stored now must be what the server takes.
    renewed, called = place.refresh(), place.call()
    lives = renewed.status == 0 and called.status == 0 and place.lab.reuses() == reuses and place.is_alive()
    if not row.check(lives, f"{fault} {moment}: lost: refresh {renewed.status}, call {called.status}, "
                            f"{place.lab.reuses() - reuses} reuse: {renewed.error} {called.error}"):
        row.lost += 1
        place.must(place.log_in(), "login after a loss")


def run(torture):
    """Each fault at each moment, six times over in the long form."""
    keeps = kernel_keeps_keys()
    for moment in ("before", "during", "after"):
        row = Row(f"keyring fails {moment}")
        with Place(torture.binaries) as place:
            made = place.lab.exchanges()
            for number in range(1 if torture.short else 6):
                for fault in FAULTS:
                    # In every third round it comes back while the new pair is still waiting to be stored.
                    turn = (number + FAULTS.index(fault)) % 3
                    command = ["refresh"] if turn == 0 else ["call", "me"]
                    one(place, row, moment, fault, turn == 1 or not keeps, command)
                    row.rounds += 1
            row.exchanges = place.lab.exchanges() - made
            row.note = "" if keeps else "the kernel keeps no keys here"
        yield row.end()
