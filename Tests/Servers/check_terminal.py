#!/usr/bin/python3
"""Shows what a program has written on a terminal, by the terminal emulator pyte: check_terminal.py COLUMNS < OUTPUT

Prints one line of JSON: `lines` (the rows of the screen, without the spaces at their ends), `wrapped` (how many rows go
on in the next one, because what was written did not fit), `colours` (how many colours are on the screen), and `columns`
(for each character that draws a lane, the columns that it stands in). Exit status: 0, 1 where the output has control
characters other than colours and line ends.
"""
import json
import re
import sys

import pyte

LINES = 2000
LANES = "│|"


class Terminal(pyte.Screen):
    """A screen that counts how often a line was too long for it."""

    wrapped = 0

    def draw(self, data):
        for character in data:
            line = self.cursor.y
            super().draw(character)
            self.wrapped += self.cursor.y > line


def main():
    text = sys.stdin.buffer.read().decode()
    rest = re.sub(r"\x1b\[[0-9;]*m", "", text)
    if re.search(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]", rest):
        print(f"check_terminal.py: {rest!r} has control characters", file=sys.stderr)
        return 1
    screen = Terminal(int(sys.argv[1]), LINES)
    stream = pyte.Stream(screen)
    # The terminal's line discipline adds the carriage return.
    stream.feed(re.sub(r"\r*\n", "\r\n", text))
    lines = [line.rstrip() for line in screen.display]
    while lines and not lines[-1]:
        lines.pop()
    cells = [(x, cell) for y in range(len(lines)) for x, cell in screen.buffer[y].items()]
    columns = {lane: sorted({x for x, cell in cells if cell.data == lane}) for lane in LANES}
    colours = len({cell.fg for _, cell in cells if cell.data != " "} - {"default"})
    print(json.dumps({"lines": lines, "wrapped": screen.wrapped, "colours": colours, "columns": columns}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
