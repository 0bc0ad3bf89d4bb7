"""A line of the table, and the table."""
import collections
import sys
import time


class Row:
    """What one case did; it has failed when there was a problem."""

    def __init__(self, case):
        self.case, self.rounds, self.lost, self.exchanges, self.note = case, 0, 0, 0, ""
        self.codes, self.problems = collections.Counter(), []
        self.begin, self.seconds = time.monotonic(), 0.0

    def problem(self, text):
        """Reports at once what went wrong, and remembers it."""
        self.problems.append(text)
        print(f"FAILED {self.case}: {text}", file=sys.stderr, flush=True)

    def check(self, holds, text):
        """A problem where it does not hold."""
        if not holds:
            self.problem(text)
        return holds

    def expect(self, what, outcome, *statuses):
        """A problem where the status of a run is another."""
        self.codes[outcome.status] += 1
        told = f"{what}: status {outcome.status}, not {statuses}: {outcome.error}"
        return self.check(outcome.status in statuses, told)

    def end(self):
        """Stops the clock."""
        self.seconds = time.monotonic() - self.begin
        return self

    @property
    def cells(self):
        """The columns."""
        codes = " ".join(f"{code}×{count}" for code, count in sorted(self.codes.items()))
        return (self.case, str(self.rounds), str(self.lost), str(self.exchanges), codes, f"{self.seconds:.1f} s",
                "failed" if self.problems else "passed", self.note)


HEADS = ("case", "rounds", "lost", "exchanges", "exit codes", "time", "", "")
NUMBERS = (1, 2, 3, 5)


def table(rows):
    """All rows, column below column."""
    lines = [HEADS] + [row.cells for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADS))]
    return "\n".join("  ".join(
        cell.rjust(width) if column in NUMBERS else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines)
