"""A logout in the middle of a storm of refreshes and calls: nothing is left, and nothing comes back."""
import subprocess

from crowd import Crowd
from place import Place
from row import Row


def leftovers(place):
    """What the keyring holds of the profile."""
    words = ["application", "authctl", "profile", place.profile]
    return subprocess.run(
        ["secret-tool", "search", "--all", *words], env=place.session.environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False).stdout


def command(place, number):
    """A call, or a refresh."""
    return ["call", "-p", place.profile, "me"] if number % 2 else ["refresh", place.profile]


def one(place, row, chance):
    """One storm; late calls are asked to log in."""
    place.lab.expire()
    place.lab.fail("token", "delay", milliseconds=chance.randrange(301), after=chance.random() < 0.5, count=2)
    crowd, late = Crowd(place), Crowd(place)
    moment = chance.randrange(80)
    for number in range(80):
        if number == moment:
            logout = place.start("logout", place.profile)
        crowd.start(*command(place, number))
    row.check(logout.wait(timeout=90) == 0, f"logout: status {logout.returncode}")
    # These come when the logout is through and others are still at it.
    for number in range(20):
        late.start(*command(place, number))
    crowd.wait()
    late.wait()
    row.codes.update(crowd.statuses + late.statuses)
    # 22: the new token was revoked between its coming and the replay, and a second 401 is the response.
    row.check(set(crowd.statuses) <= {0, 3, 22}, f"statuses {set(crowd.statuses)}: {crowd.said()[-500:]}")
    row.check(set(late.statuses) == {3}, f"after the logout: statuses {set(late.statuses)}: {late.said()[-500:]}")
    place.settle()
    place.lab.clear_faults()
    row.check(leftovers(place) == b"", f"left in the keyring after a logout before process {moment}")
    row.expect("a call afterwards", place.call(), 3)
    row.check(leftovers(place) == b"", "something came back")
    row.check(place.lab.reuses() == 0, "a spent refresh token was sent")
    row.expect("a new login", place.log_in(), 0)
    row.expect("a refresh after it", place.refresh(), 0)


def run(torture):
    """The logout comes at another moment each time."""
    row = Row("logout in a storm of 100")
    row.rounds = 2 if torture.short else 20
    for number in range(row.rounds):
        # A server of its own each: what a spent token sets off there is of one session only.
        with Place(torture.binaries) as place:
            one(place, row, torture.chance("logout", number))
            row.exchanges += place.lab.exchanges()
    yield row.end()
