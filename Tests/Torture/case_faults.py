"""Every fault of the server at every step of login, refresh and revocation."""
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from place import Place
from row import Row
from session import wait_until

# Each fault, the status that a refresh or a login ends with, and the one of a logout whose revocation it hits.
FAULTS = (
    ({"kind": "delay", "milliseconds": 100}, (0,), (0,)),
    ({"kind": "delay", "milliseconds": 600000}, (5,), (5,)),
    ({"kind": "status", "status": 500}, (5,), (5,)),
    ({"kind": "status", "status": 503}, (5,), (5,)),
    ({"kind": "status", "status": 403, "body": "", "content_type": ""}, (6,), (6,)),
    ({"kind": "hang"}, (5,), (5,)),
    ({"kind": "drop"}, (5,), (5,)),
    ({"kind": "malformed"}, (6,), (0,)),
    ({"kind": "html"}, (6,), (0,)),
    ({"kind": "html", "status": 502}, (5,), (5,)),
    ({"kind": "empty"}, (6,), (0,)),
    ({"kind": "always401"}, (6,), (6,)),
    ({"kind": "redirect", "location": "/token"}, (6,), (6,)),
    ({"kind": "retry_after", "milliseconds": 1000}, (5,), (5,)),
    # 200 with zeros, 10 MiB of them, which are not read to their end.
    ({"kind": "flood"}, (5, 6), (0, 5, 6)),
    ({"kind": "truncate"}, (5,), (0, 5)),
)
STEPS = ("discovery of a login", "login", "login, revoking the old", "refresh", "logout")


def healed(place, seconds=60):
    """A refresh when the server is well again: a failure is shared for a moment, and not asked again for."""
    end = time.monotonic() + seconds
    while True:
        outcome = place.refresh()
        if outcome.status not in (5, 6) or time.monotonic() > end:
            return outcome
        time.sleep(0.3)


def refresh(place, row, told, statuses, grace, spoils):
    """A refresh under the fault; afterwards the session lives, unless the server has ended it."""
    made, before, asked = place.lab.exchanges(), decided(place.lab), place.lab.asked()
    # If only the response was lost, the second try may be refused: that is the end of the session.
    row.expect(told, place.refresh(), *statuses, *((3, 0) if spoils else ()))
    place.lab.clear_faults()
    if "delay" in told:
        # What the server does late takes effect all the same.
        wait_until(
            "the server has done all it was asked", lambda: decided(place.lab) - before == place.lab.asked() - asked)
    alive = grace or place.is_alive()
    renewed = healed(place)
    if alive:
        if not row.check(renewed.status == 0 and place.call().status == 0,
                         f"{told}: lost, the server took its refresh token: {renewed.status} {renewed.error}"):
            row.lost += 1
            place.must(place.log_in(), "login after a loss")
        return
    # The server has rotated, and the response was lost.
    if not row.check(spoils and place.lab.exchanges() > made, f"{told}: lost: {renewed.status} {renewed.error}"):
        row.lost += 1
    row.check(renewed.status == 3, f"{told}: status {renewed.status} for a session that the server has ended")
    row.note = f"{int(row.note.split()[0] if row.note else 0) + 1} ended by the server, whose response was lost"
    row.expect(f"{told}: a new login", place.log_in(), 0)
    row.check(healed(place).status == 0, f"{told}: no refresh after the new login")


def decided(lab):
    """How many refreshes the server has granted or refused; those that only a fault responds to do not count."""
    return lab.exchanges() + lab.count("token.refresh_token.invalid_grant")


def login(place, row, told, statuses):
    """A login over a session that lives; where it fails, the old one is what it was."""
    stored = place.stored()
    outcome = place.log_in()
    row.expect(told, outcome, *statuses)
    place.lab.clear_faults()
    row.check(outcome.status == 0 or place.stored() == stored, f"{told}: the old pair has changed")
    if not row.check(place.is_alive() and healed(place).status == 0, f"{told}: the session is lost"):
        row.lost += 1
        place.must(place.log_in(), "login after a loss")


def logout(place, row, told, statuses):
    """A logout, after which nothing is stored whatever the server says."""
    outcome = place.run("logout", place.profile)
    row.expect(told, outcome, *statuses)
    place.lab.clear_faults()
    left = subprocess.run(
        ["secret-tool", "search", "application", "authctl", "profile", place.profile], stdout=subprocess.PIPE,
        env=place.session.environment, stderr=subprocess.STDOUT, check=False).stdout
    row.check(left == b"", f"{told}: something is left in the keyring")
    row.expect(f"{told}: a new login", place.log_in(), 0)
    row.check(healed(place).status == 0, f"{told}: no refresh after the new login")


def one(place, row, step, fault, more, grace):
    """One fault at one step."""
    fields, statuses, of_logout = fault
    told = f"{step}: {fields} {more}".replace("{}", "")
    spoils = more.get("after", False) or fields["kind"] == "truncate" or fields.get("milliseconds") == 600000
    met = place.lab.count("fault." + fields["kind"])
    if more.get("count"):
        # A fault that passes may be gone at the second try.
        statuses, of_logout = statuses + (0,), of_logout + (0,)
    endpoint = {"discovery of a login": "discovery", "login": "token", "refresh": "token"}.get(step, "revoke")
    place.lab.fail(endpoint, **{**fields, **more})
    if step == "refresh":
        refresh(place, row, told, statuses, grace, spoils)
    elif step == "logout":
        logout(place, row, told, of_logout)
    else:
        login(place, row, told, (0,) if step == "login, revoking the old" else statuses)
    row.check(place.lab.count("fault." + fields["kind"]) > met, f"{told}: no request met the fault")
    row.rounds += 1


def rounds(torture, step, reuse, more):
    """All faults at one step."""
    variant = ", ".join(f"{name} {value}".replace("after True", "only the response") for name, value in more.items())
    grace = reuse == "none"
    row = Row(f"server's faults: {step}" + (" with grace" if grace else "") + (f" ({variant})" if more else ""))
    # Long enough for a request without a fault on a machine that is busy.
    with Place(torture.binaries, '[network]\ntimeout = "5s"\nconnect_timeout = "5s"\n') as place:
        place.lab.change(reuse=reuse)
        for fault in FAULTS:
            one(place, row, step, fault, more, grace)
        row.exchanges = place.lab.exchanges()
        place.settle()
    return row.end()


def run(torture):
    """The server does nothing, or only its response is lost; side by side, since most of it is waiting."""
    lost = {"after": True}
    if torture.short:
        units = [(step, "strict", {}) for step in STEPS] + [("refresh", "strict", lost), ("refresh", "none", lost)]
    else:
        variants = ({}, lost, {"count": 1}, {**lost, "count": 1})
        units = [(step, "strict", more) for step in STEPS for more in variants]
        units += [("refresh", "none", more) for more in variants]
    with ThreadPoolExecutor(7) as threads:
        yield from threads.map(lambda unit: rounds(torture, *unit), units)
