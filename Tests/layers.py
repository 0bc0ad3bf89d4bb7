#!/usr/bin/env python3
"""Checks that each folder of a target uses only those above it: layers.py

A folder that is named by itself is no part of the one that it is in. Reads which types each Swift file defines and
which it names, and which members it adds to a type in an extension and which it uses (`.name`). Prints every use of a
type or of such a member from a later folder, then `N passed, N failed`, where a folder passes if it has no such use. A
member whose name is declared in two folders is not looked at.
"""
import collections
import os
import re
import sys

SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Sources")
ORDER = {
    "AuthCore": [
        "Errors", "Threads", "Text", "HTTP", "Redaction", "Clocks", "Tokens", "Events", "Storage", "JOSE", "Images",
        "Profiles", "Discovery", "Registration", "Server", "Refresh", "Grants", "API", "Session",
    ],
    "AuthctlCLI": [
        "Grammar", "Rendering", "Runtime", "Profiles", "Background", "Commands/Shared", "Commands/Call/Options",
        "Commands/Call/Body", "Commands/Call/Arguments", "Commands/Call/Output", "Commands/Call/WriteOut",
        "Commands/Call/Request", "Commands/Call/Batch", "Commands/Call", "Commands/Proxy", "Commands/Credential",
        "Commands/Login", "Commands/Inspect", "Commands/Doctor", "Commands/Status", "Commands/Profile", "Commands",
    ],
}
DEFINITION = re.compile(
    r"^( *)(?:(?:public|package|internal|private|fileprivate|final|indirect|nonisolated)(?:\(\w+\))? +)*"
    r"(?:struct|class|enum|actor|protocol|typealias) +(\w+)", re.MULTILINE)
EXTENSION = re.compile(r"^(?:\w+ +)?extension +[^\n]*\{$.*?^\}", re.MULTILINE | re.DOTALL)
MEMBER = re.compile(
    r"^  (?:@\w+ +)*(?:(?:public|package|internal|static|mutating|nonisolated)(?:\(\w+\))? +)*"
    r"(?:func|var|let) +`?(\w+)", re.MULTILINE)
# Everything with a name that a `.name` could mean: members, cases, and local names.
DECLARATION = re.compile(r"\b(?:func|var|let|case) +`?(\w+)")
CASES = re.compile(r"^ *(?:indirect +)?case +([^\n:=]*)$", re.MULTILINE)
CASE = re.compile(r"(\w+)(?:\([^)]*\))? *(?:,|$)")
# Members of an extension that are the standard library's, too.
LIBRARY = {"milliseconds", "replacing"}
# A type that is named in a comment or a text is not used there, but in an interpolation it is.
UNUSED = re.compile(r'//[^\n]*|/\*.*?\*/|""".*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
INTERPOLATION = re.compile(r"\\\(([^\n]*)")


def read(target):
    """The code of each file of a target by its path below the target's folder."""
    base = os.path.join(SOURCES, target)
    files = {}
    for folder, _, names in os.walk(base):
        for name in names:
            if name.endswith(".swift"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    files[os.path.relpath(path, base)] = UNUSED.sub(interpolations, file.read())
    return files


def interpolations(match):
    """The code in a text; nothing for a comment."""
    text = match.group()
    return " ".join(INTERPOLATION.findall(text.rstrip('"'))) if text.startswith('"') else ""


def layer(path):
    """The folder of a file that has a place in the order; the file's own folder if none has."""
    folder = os.path.dirname(path)
    while folder and not any(folder in order for order in ORDER.values()):
        folder = os.path.dirname(folder)
    return folder or os.path.dirname(path)


def declared(files):
    """The folders by the name that is declared in them, whatever declares it."""
    folders = collections.defaultdict(set)
    for path, code in files.items():
        names = DECLARATION.findall(code)
        for line in CASES.findall(code):
            names += CASE.findall(line)
        for name in names:
            folders[name].add(layer(path))
    return folders


def member_folders(files, others):
    """The folder of each member of an extension by its name, if nothing else, here or in others, has that name."""
    folders = declared(files)
    foreign = declared(others)
    members = {}
    for code in files.values():
        for block in EXTENSION.findall(code):
            for name in MEMBER.findall(block):
                if len(folders[name]) == 1 and name not in foreign and name not in LIBRARY:
                    members[name] = next(iter(folders[name]))
    return members


def wrong_uses(target, order):
    """Each use of a type or a member from a later folder: (folder, later folder, file, name)."""
    files = read(target)
    defined = {}
    nested = collections.defaultdict(set)
    for path, code in files.items():
        for indent, name in DEFINITION.findall(code):
            if indent:
                nested[layer(path)].add(name)
            else:
                defined[name] = layer(path)
    members = member_folders(files, {} if target == "AuthCore" else read("AuthCore"))
    for path, code in sorted(files.items()):
        folder = layer(path)
        if folder not in order:
            yield folder, "none of the folders", path, "the file"
            continue
        # A nested type of the same name, in the same folder, is what is meant.
        for name in sorted(set(re.findall(r"\b[A-Z]\w*", code)) - nested[folder]):
            if order.index(defined.get(name, folder)) > order.index(folder):
                yield folder, defined[name], path, name
        for name in sorted(set(re.findall(r"\.(\w+)", code))):
            if order.index(members.get(name, folder)) > order.index(folder):
                yield folder, members[name], path, "." + name


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
