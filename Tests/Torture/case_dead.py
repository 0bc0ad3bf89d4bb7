"""Many processes meet a refresh token that the server has revoked: one asks, one failure is reported."""
from crowd import Crowd
from place import Place
from row import Row


def run(torture):
    """The command of `[on] login_required` runs once; a new login ends it all."""
    count = 100 if torture.short else 1000
    row = Row(f"dead refresh token, {count}")
    row.rounds = count
    with Place(torture.binaries, "[on]\nlogin_required = 'echo x >> \"$HOME/told\"'\n") as place:
        place.lab.revoke_all()
        crowd = Crowd(place)
        for number in range(count):
            words = ["call", "-p", place.profile, "me"] if number % 2 else ["refresh", place.profile]
            crowd.start(*words)
        crowd.wait()
        place.settle()
        row.codes.update(crowd.statuses)
        row.check(set(crowd.statuses) == {3}, f"not all ended with 3: {crowd.said()[-500:]}")
        asked = place.lab.asked()
        row.check(asked == 1, f"the server was asked {asked} times")
        with open(f"{place.session.folder}/told", encoding="utf-8") as file:
            told = len(file.readlines())
        row.check(told == 1, f"the command ran {told} times")
        row.note = f"asked {asked} time(s), command run {told} time(s)"
        row.expect("a new login", place.log_in(), 0)
        row.expect("a refresh after it", place.refresh(), 0)
        row.exchanges = place.lab.exchanges()
    yield row.end()
