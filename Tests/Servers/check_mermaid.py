#!/usr/bin/python3
"""Draws sequence diagrams with Mermaid itself, in a real Chromium: check_mermaid.py [--images FOLDER] FILE.mmd…

Mermaid is the one that the package mermaid-parser-py of the Python package index carries. Prints one line of JSON with
an object for each file: `actors` (their descriptions from left to right), `steps` (of each message or note: `from`,
`to`, and `text` as it is drawn), and `width` and `height` of the drawing. --images keeps a screenshot of each. Exit
status: 0, or 1 with the reason where Mermaid accepts a file not, or draws something else than what it has read.
"""
import base64
import json
import os
import shutil
import sys
import sysconfig
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
from chromium import Chromium, Failure  # noqa: E402

BUNDLE = os.path.join(sysconfig.get_path("purelib"), "mermaid_parser/js/parser.bundle.js")
LIMIT = 60.0  # seconds for all diagrams
# Mermaid's own names of these kinds (LINETYPE), which are numbers.
NOTE = 2
PAGE = """<!doctype html><meta charset="utf-8"><title>Mermaid</title>
<script src="mermaid.js"></script><main></main>"""
# As the module of CommonJS that it is, which hands out only a part of Mermaid.
SCRIPT = "((module) => {\n%s\nglobalThis.mermaid = mermaid_default;\n})({});\n"
DRAW = """
(async (text) => {
  mermaid.initialize({startOnLoad: false, securityLevel: 'strict'});
  const known = await mermaid.parse(text);
  const database = (await mermaid.mermaidAPI.getDiagramFromText(text)).db;
  const {svg} = await mermaid.render('drawing', text);
  const main = document.querySelector('main');
  main.innerHTML = svg;
  const lines = (selector) => [...main.querySelectorAll(selector)].map((e) => e.textContent);
  const box = main.querySelector('svg').getBoundingClientRect();
  const actors = database.getActors();
  return {
    type: known.diagramType, width: box.width, height: box.height,
    actors: database.getActorKeys().map((key) => actors.get(key).description),
    steps: database.getMessages().map((m) => ({kind: m.type, from: m.from, to: m.to, text: m.message})),
    messages: lines('.messageText'), notes: lines('.noteText'),
    foreign: main.querySelectorAll('script, img, a, foreignObject script').length,
  };
})(%s)
"""


def entities(text):
    """A text whose characters Mermaid has encoded."""
    parts = text.replace("ﬂ°°", "\0").replace("ﬂ°", "\1").replace("¶ß", ";")
    shown = ""
    while parts:
        mark, parts = parts[0], parts[1:]
        if mark in "\0\1":
            code, _, parts = parts.partition(";")
            shown += chr(int(code)) if mark == "\0" else f"&{code};"
        else:
            shown += mark
    return shown


def draw(chromium, path, end):
    """What Mermaid reads in a file; raises ValueError where it can't, or where the drawing lacks a part of it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    answer = chromium.call("Runtime.evaluate", end, expression=DRAW % json.dumps(text), awaitPromise=True,
                           returnByValue=True)
    if "exceptionDetails" in answer:
        raise ValueError(f"{path}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
    facts = answer["result"]["value"]
    if facts["type"] != "sequence":
        raise ValueError(f"{path}: it is a diagram of type {facts['type']}")
    for step in facts["steps"]:
        step["text"] = entities(step["text"])
    drawn = {"notes": facts.pop("notes"), "messages": facts.pop("messages")}
    for kind, shown in drawn.items():
        wanted = [step["text"] for step in facts["steps"] if (step["kind"] == NOTE) == (kind == "notes")]
        # A note is drawn in lines.
        if ["".join(text.split()) for text in shown] != ["".join(text.split()) for text in wanted]:
            raise ValueError(f"{path}: the drawing has the {kind} {shown}, not {wanted}")
    if facts.pop("foreign"):
        raise ValueError(f"{path}: the drawing has an element of a server's text")
    return facts


def main():
    arguments = sys.argv[1:]
    images = None
    if arguments[:1] == ["--images"]:
        images, arguments = arguments[1], arguments[2:]
    folder = tempfile.mkdtemp(prefix="mermaid-")
    chromium = Chromium()
    try:
        with open(BUNDLE, encoding="utf-8") as source, open(f"{folder}/mermaid.js", "w", encoding="utf-8") as script:
            script.write(SCRIPT % source.read())
        with open(f"{folder}/page.html", "w", encoding="utf-8") as page:
            page.write(PAGE)
        chromium.start()
        end = time.monotonic() + LIMIT
        chromium.call("Page.navigate", end, url=f"file://{folder}/page.html")
        while not chromium.evaluate("document.readyState === 'complete' && typeof mermaid === 'object'", end):
            chromium.pause(end)
        facts = []
        for path in arguments:
            facts.append(draw(chromium, path, end))
            if images:
                shot = chromium.call("Page.captureScreenshot", end, format="png", captureBeyondViewport=True)
                with open(f"{images}/{os.path.basename(path)}.png", "wb") as file:
                    file.write(base64.b64decode(shot["data"]))
        print(json.dumps(facts))
        return 0
    except (ValueError, Failure, OSError) as error:
        print(f"check_mermaid.py: {error}", file=sys.stderr)
        return 1
    finally:
        chromium.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
