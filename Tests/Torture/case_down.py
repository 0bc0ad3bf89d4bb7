"""Many processes meet a server that is down: it is asked seldom, and each of them ends in time, with status 5."""
from crowd import Crowd
from place import Place
from row import Row

# How the server fails, and how often it may be asked: so many requests in so many seconds. An attempt asks again
# after half a second to a second where that may help; its failure is shared for two seconds, or for as long as the
# server wants.
DOWN = {
    "503": ({"kind": "status", "status": 503}, 2, 2.5),
    "429, try after a minute": ({"kind": "retry_after", "milliseconds": 60000}, 1, 60),
    "no response": ({"kind": "hang"}, 1, 7), "refused": (None, 2, 2.5),
}
# A lock is waited for 60 seconds; the rest is for starting a thousand processes on a small machine that is busy.
DEADLINE = 180


def run(torture):
    """All of them refresh; the token that is stored is what it was, and good as soon as the server is back."""
    count = 100 if torture.short else 1000
    for store, (name, (fault, requests, seconds)) in [(store, it) for store in torture.stores for it in DOWN.items()]:
        row = Row(f"server down: {name}, {count}" + ("" if store == "keyring" else f", {store}"))
        row.rounds = count
        with Place(torture.binaries, '[network]\ntimeout = "5s"\nconnect_timeout = "5s"\n', store) as place:
            stored = place.stored()
            if fault:
                place.lab.fail("token", **fault)
            else:
                place.lab.stop()
            crowd = Crowd(place, DEADLINE)
            for _ in range(count):
                crowd.start("-vv", "refresh", place.profile)
            spent = crowd.wait()
            row.codes.update(crowd.statuses)
            place.settle()
            row.check(set(crowd.statuses) == {5}, f"not all ended with 5: {crowd.messages()}")
            # A server that is stopped counts nothing: libcurl's notes in the trace do.
            asked = place.lab.asked() if fault else crowd.said().count("failed: Connection refused")
            most = requests * (1 + int(spent / seconds))
            row.check(1 <= asked <= most, f"asked {asked} times in {spent:.1f} s, not {most} times at the most")
            row.note = f"asked {asked} time(s) in {spent:.1f} s, each took at most {max(crowd.seconds):.1f} s"
            now = place.stored()
            if fault and fault["kind"] == "hang":
                # The mark of a refresh with an unknown end may stay.
                same = now and all(now[key] == stored[key] for key in ("access_token", "refresh_token"))
            else:
                same = now == stored
            row.check(same, "what is stored has changed")
            if fault:
                place.lab.clear_faults()
                row.lost = 0 if row.check(place.is_alive(), "the session is lost") else 1
                row.expect("a call when it is back", place.call(), 0)
        yield row.end()
