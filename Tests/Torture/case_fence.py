"""During a refresh the user logs out, here or by other means, or another machine has refreshed."""
import json
import secrets
import subprocess
import urllib.parse

from place import Place
from row import Row
from session import wait_until


def keyring(place, command, *more, text=None):
    """Runs `secret-tool` on the profile's item, which knows nothing of our lock."""
    words = ["secret-tool", command, *more, "application", "authctl", "profile", place.profile, "kind", "tokens"]
    return subprocess.run(
        words, env=place.session.environment, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        check=False).stdout


def begin(place, milliseconds=600000):
    """A refresh that is under way: the server has refreshed, and responds when the faults are cleared, or late."""
    made = place.lab.exchanges()
    place.lab.fail("token", "delay", milliseconds=milliseconds, after=True, count=1)
    process = place.start("refresh", place.profile)
    wait_until("the server has refreshed", lambda: place.lab.exchanges() > made)
    return process


def another_login(place):
    """What another machine would store: tokens of a login of its own."""
    form = urllib.parse.urlencode({
        "grant_type": "password", "username": "alice", "password": "alice-pass", "client_id": "cli", "scope": "api"})
    tokens = json.loads(place.lab.send("POST", "/token", form, "application/x-www-form-urlencoded"))
    pair = {**place.stored(), "access_token": tokens["access_token"], "refresh_token": tokens["refresh_token"]}
    pair.pop("renewal_began", None)
    return pair


def logged_out(place, row):
    """`authctl logout`: it waits for the exchange, and ends what that has brought."""
    revoked = place.lab.count("revoke.ok")
    process = begin(place, 1500)
    row.expect("logout", place.run("logout", place.profile), 0)
    row.codes[process.wait(timeout=90)] += 1
    row.check(process.returncode in (0, 3), f"the refresh: status {process.returncode}")
    gone(place, row, revoked)


def removed(place, row):
    """The item is removed behind our back: the new tokens are not stored, and revoked at the server."""
    revoked = place.lab.count("revoke.ok")
    process = begin(place)
    keyring(place, "clear")
    place.lab.clear_faults()
    row.codes[process.wait(timeout=90)] += 1
    row.check(process.returncode == 3, f"the refresh: status {process.returncode}, not 3")
    gone(place, row, revoked)


def replaced(place, row):
    """Another machine's login is stored behind our back: it stays."""
    revoked = place.lab.count("revoke.ok")
    process = begin(place)
    theirs = {**another_login(place), "session_id": secrets.token_hex(8)}
    keyring(place, "store", "--label=other", text=json.dumps(theirs))
    place.lab.clear_faults()
    row.codes[process.wait(timeout=90)] += 1
    row.check(process.returncode == 0, f"the refresh: status {process.returncode}, not 0")
    place.settle()
    row.check(place.stored()["refresh_token"] == theirs["refresh_token"], "the other login was overwritten")
    check_revoked(place, row, revoked)
    lives(place, row)


def adopted(place, row):
    """Another machine has refreshed the pair that it shares with us, whose refresh token is spent for us."""
    theirs = place.stored()
    place.lab.change(reuse="one-use")
    form = urllib.parse.urlencode(
        {"grant_type": "refresh_token", "refresh_token": theirs["refresh_token"], "client_id": "cli"})
    # The server decides late, and what the other machine has got is stored just before.
    place.lab.fail("token", "delay", milliseconds=600000, count=1)
    asked = place.lab.asked()
    process = place.start("refresh", place.profile)
    wait_until("the server was asked", lambda: place.lab.asked() > asked)
    tokens = json.loads(place.lab.send("POST", "/token", form, "application/x-www-form-urlencoded"))
    theirs.update(access_token=tokens["access_token"], refresh_token=tokens["refresh_token"])
    keyring(place, "store", "--label=other", text=json.dumps(theirs))
    place.lab.clear_faults()
    row.codes[process.wait(timeout=90)] += 1
    row.check(process.returncode == 0, f"the refresh: status {process.returncode}, not 0")
    row.check(place.stored()["refresh_token"] == theirs["refresh_token"], "the other machine's new pair was not kept")
    lives(place, row)


def gone(place, row, revoked):
    """Nothing is stored, nothing comes back, and the server has ended the session."""
    place.settle()
    row.check(place.stored() is None, "something is stored after a logout")
    check_revoked(place, row, revoked)
    row.expect("a call after it", place.call(), 3)
    row.check(place.stored() is None, "something came back after a logout")
    place.must(place.log_in(), "the login")


def check_revoked(place, row, before):
    """Both of the tokens that no process has are revoked, once."""
    made = place.lab.count("revoke.ok") - before
    row.check(made == 2, f"{made} revocations, not 2")


def lives(place, row):
    """The session is what the server takes."""
    place.lab.clear_faults()
    well = place.refresh().status == 0 and place.call().status == 0 and place.is_alive()
    if not row.check(well, "the session is lost"):
        row.lost += 1
        place.must(place.log_in(), "login after a loss")


def run(torture):
    """Each of them in a place of its own."""
    for case in (logged_out, removed, replaced, adopted):
        row = Row(f"{case.__name__.replace('_', ' ')} during an exchange")
        with Place(torture.binaries) as place:
            row.rounds = 2 if torture.short else 20
            for _ in range(row.rounds):
                case(place, row)
            row.exchanges = place.lab.exchanges()
        yield row.end()
