#!/usr/bin/env python3
"""Checks that each folder of a target uses only those above it: layers.py

Reads which types each Swift file defines and which it names. Prints every use of a type from a later folder, then
`N passed, N failed`, where a folder passes if it has no such use.
"""
import collections
import os
import re
import sys

SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Sources")
ORDER = {
    "AuthCore": [
        "Errors", "Threads", "Text", "HTTP", "Clocks", "Tokens", "Events", "Storage", "JOSE", "Images", "Profiles",
        "Server", "Refresh", "Grants", "Session", "API",
    ],
    "AuthctlCLI": ["Grammar", "Rendering", "Runtime", "Profiles", "Background", "Commands"],
}
DEFINITION = re.compile(
    r"^( *)(?:(?:public|package|internal|private|fileprivate|final|indirect|nonisolated)(?:\(\w+\))? +)*"
    r"(?:struct|class|enum|actor|protocol|typealias) +(\w+)", re.MULTILINE)
# A type that is named in a comment or a text is not used there.
UNUSED = re.compile(r'//[^\n]*|/\*.*?\*/|""".*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def read(target):
    """The code of each file of a target by its path below the target's folder."""
    base = os.path.join(SOURCES, target)
    files = {}
    for folder, _, names in os.walk(base):
        for name in names:
            if name.endswith(".swift"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    files[os.path.relpath(path, base)] = UNUSED.sub("", file.read())
    return files


def wrong_uses(target, order):
    """Each use of a type from a later folder: (folder, later folder, file, type)."""
    files = read(target)
    defined = {}
    nested = collections.defaultdict(set)
    for path, code in files.items():
        for indent, name in DEFINITION.findall(code):
            if indent:
                nested[path.split("/")[0]].add(name)
            else:
                defined[name] = path.split("/")[0]
    for path, code in sorted(files.items()):
        folder = path.split("/")[0]
        if folder not in order:
            yield folder, "none of the folders", path, "the file"
            continue
        # A nested type of the same name, in the same folder, is what is meant.
        for name in sorted(set(re.findall(r"\b[A-Z]\w*", code)) - nested[folder]):
            if order.index(defined.get(name, folder)) > order.index(folder):
                yield folder, defined[name], path, name


def main():
    failed = set()
    for target, order in ORDER.items():
        for folder, later, path, name in wrong_uses(target, order):
            failed.add((target, folder))
            print(f"{target}: {folder} uses {later}: {path}: {name}")
    count = sum(len(order) for order in ORDER.values())
    print(f"folders and their order: {count - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
