"""The keyring is locked, or killed, or its bus is, before, during or after an exchange."""
import os

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


def mend(session, fault):
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
    mend(place.session, fault)


def during(place, row, fault, soon):
    """The answer can't be stored: it is kept where no disk is, and put back."""
    asked, made = place.lab.asked(), place.lab.exchanges()
    place.lab.fail("token", "delay", milliseconds=700, after=True, count=1)
    process = place.start("refresh", place.profile)
    wait_until("the server has renewed", lambda: place.lab.exchanges() > made)
    strike(place.session, fault)
    if not soon:
        row.check(process.wait(timeout=100) in (0, 4, 5), f"{fault} during: status {process.returncode}")
        row.codes[process.returncode] += 1
        place.settle()
    mend(place.session, fault)
    if soon:
        # It may have been stored in time.
        row.check(process.wait(timeout=100) in (0, 4, 5), f"{fault} for a moment: status {process.returncode}")
        row.codes[process.returncode] += 1
        place.settle()
    row.expect(f"{fault} during, the next run", place.run("token", "-p", place.profile), 0)
    row.check(place.lab.asked() == asked + 1, f"{fault} during: asked {place.lab.asked() - asked} times")
    pair = place.stored()
    for secret in (pair["refresh_token"], pair["access_token"]) if pair else ():
        row.check(not is_on_disk(place, secret), f"{fault} during: a token is in a file")


def after(place, row, fault):
    """What was stored is there later."""
    row.expect(f"{fault} after, the exchange", place.refresh(), 0)
    strike(place.session, fault)
    row.expect(f"{fault} after", place.refresh(), 4)
    mend(place.session, fault)


def is_on_disk(place, secret):
    """Whether a file in the home holds it in the clear."""
    for folder, _, names in os.walk(place.session.folder):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    if secret.encode() in file.read():
                        return True
    return False


def one(place, row, moment, fault, soon):
    """One round, and whether the session lives."""
    reuses = place.lab.reuses()
    if moment == "during":
        during(place, row, fault, soon)
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
    for moment in ("before", "during", "after"):
        row = Row(f"keyring fails {moment}")
        with Place(torture.binaries) as place:
            made = place.lab.exchanges()
            for number in range(1 if torture.short else 6):
                for fault in FAULTS:
                    # In every other round it comes back while the answer is still waiting to be stored.
                    one(place, row, moment, fault, (number + FAULTS.index(fault)) % 2 == 1)
                    row.rounds += 1
            row.exchanges = place.lab.exchanges() - made
        yield row.end()
