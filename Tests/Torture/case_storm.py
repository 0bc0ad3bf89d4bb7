"""Many processes at once with a token that the server has expired: one exchange, no failure."""
from crowd import Crowd
from place import Place
from row import Row


def storm(place, row, count, profile=None):
    """The seconds that so many calls at once take; each must succeed."""
    crowd = Crowd(place)
    for _ in range(count):
        crowd.start("--quiet", "call", "-p", profile or place.profile, "me")
    seconds = crowd.wait()
    row.codes.update(crowd.statuses)
    failures = sum(status != 0 for status in crowd.statuses)
    row.check(failures == 0, f"{failures} of {count} failed: {crowd.said()[-500:]} {place.session.keyring_end()}")
    return seconds


def run(torture):
    """In the long form the time is bounded too, beside that of the same storm with a valid token."""
    counts = [100] if torture.short else [500, 1000]
    ways = [("keyring", "HTTP/1.1"), ("file", "HTTP/1.1"), ("keyring", "HTTP/2")]
    for count, (store, protocol) in [(count, way) for count in counts for way in ways]:
        row = Row(f"storm of {count}, {store}, {protocol}")
        with Place(torture.binaries, store=store, over=protocol) as place:
            row.rounds = 2 * count
            valid = storm(place, row, count)
            place.lab.expire()
            expired = storm(place, row, count)
            row.exchanges = place.lab.exchanges()
            row.check(row.exchanges == 1, f"{row.exchanges} exchanges")
            row.check(place.lab.reuses() == 0, "a spent refresh token was sent")
            if place.proxy:
                protocols = place.proxy.protocols()
                row.check(protocols == {"HTTP/2.0"}, f"not all came over HTTP/2: {protocols}")
            row.lost = 0 if row.check(place.is_alive(), "the session is lost") else 1
            ratio = expired / valid
            row.note = f"{expired:.2f} s ÷ {valid:.2f} s with a valid token = {ratio:.2f}"
            row.check(torture.short or ratio <= 1.5, f"it took {ratio:.2f} times as long as with a valid token")
        yield row.end()
