"""Draws a terminal's screen as an SVG: text as text, no font, script or file from elsewhere, light and dark."""
from itertools import groupby
from xml.sax.saxutils import escape

FONT = ("ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace")
SIZE, ADVANCE, LINE, MARGIN = 14, 8.4, 20, 18  # pixels

# Class: light, dark.
COLOURS = {
    "red": ("#cf222e", "#ff7b72"), "green": ("#1a7f37", "#3fb950"), "brown": ("#9a6700", "#d29922"),
    "blue": ("#0969da", "#58a6ff"), "magenta": ("#8250df", "#bc8cff"), "cyan": ("#1b7c83", "#39c5cf"),
    "dim": ("#59636e", "#9198a1"),
}
PAPER, FRAME, INK = ("#f6f8fa", "#0d1117"), ("#d1d9e0", "#3d444d"), ("#1f2328", "#f0f6fc")


def style():
    """The rules of both colour schemes."""

    def scheme(index):
        rules = [f".paper{{fill:{PAPER[index]};stroke:{FRAME[index]}}}", f"text{{fill:{INK[index]}}}"]
        rules += [f".{name}{{fill:{pair[index]}}}" for name, pair in COLOURS.items()]
        return "".join(rules)

    return (f"text{{font:{SIZE}px {FONT};white-space:pre}}.bold{{font-weight:bold}}{scheme(0)}"
            f"@media(prefers-color-scheme:dark){{{scheme(1)}}}")


def classes(cell):
    """The classes of a cell's colour and weight."""
    colour = {"brightblack": "dim", "yellow": "brown"}.get(cell.fg, cell.fg.removeprefix("bright"))
    return " ".join([colour] * (colour in COLOURS) + ["bold"] * bool(cell.bold))


def line(cells, row):
    """A line: a run for each stretch of one look, at its own place, so that any monospaced font keeps the columns."""
    runs, column = [], 0
    for look, group in groupby(cells, key=classes):
        text = "".join(cell.data for cell in group)
        start, shown = column + len(text) - len(text.lstrip()), text.strip()
        column += len(text)
        if shown:
            name = f' class="{look}"' if look else ""
            runs.append(f'<tspan x="{MARGIN + start * ADVANCE:g}" textLength="{len(shown) * ADVANCE:g}"{name}>'
                        f"{escape(shown)}</tspan>")
    return f'<text y="{MARGIN + row * LINE + SIZE}" xml:space="preserve">{"".join(runs)}</text>' if runs else ""


def draw(screen, title, text):
    """The picture of a screen of pyte, as far down as there is text; `text` describes it to those who can't see it."""
    used = max(row for row in range(screen.lines) if screen.display[row].strip()) + 1
    rows = [line([screen.buffer[row][column] for column in range(screen.columns)], row) for row in range(used)]
    width, height = round(2 * MARGIN + screen.columns * ADVANCE), 2 * MARGIN + used * LINE
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title text">',
        f'<title id="title">{escape(title)}</title>', f'<desc id="text">{escape(text)}</desc>',
        f"<style>{style()}</style>",
        f'<rect class="paper" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="6"/>',
        *filter(None, rows), "</svg>", ""])
