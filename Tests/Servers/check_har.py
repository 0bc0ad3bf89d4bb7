#!/usr/bin/python3
"""Checks HTTP archives against the rules of HAR 1.2: check_har.py FILE…

The schema states what the specification (www.softwareishard.com/blog/har-12-spec) requires; jsonschema checks it. The
rules that a schema can't state are checked here. Prints one line of JSON with the method, URL, status and members of
each entry, in the order
in which they were sent. Exit status: 0, 1 where a file breaks a rule.
"""
import datetime
import json
import sys

import jsonschema

STRING, INTEGER, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
SIZE = {"type": "integer", "minimum": -1}
PHASE, LASTING = {"type": "number", "minimum": -1}, {"type": "number", "minimum": 0}


def members(required, optional=None):
    """An object: its members, and nothing else but members with an underscore."""
    known = {**required, **(optional or {}), "comment": STRING}
    return {
        "type": "object", "required": sorted(required), "properties": known,
        "patternProperties": {"^_": {}}, "additionalProperties": False,
    }


def listed(item):
    """An array."""
    return {"type": "array", "items": item}


PAIR = members({"name": STRING, "value": STRING})
COOKIE = members(
    {"name": STRING, "value": STRING},
    {"path": STRING, "domain": STRING, "expires": STRING, "httpOnly": FLAG, "secure": FLAG})
PARAM = members({"name": STRING}, {"value": STRING, "fileName": STRING, "contentType": STRING})
REQUEST = members(
    {
        "method": STRING, "url": {"type": "string", "format": "uri"}, "httpVersion": STRING, "cookies": listed(COOKIE),
        "headers": listed(PAIR), "queryString": listed(PAIR), "headersSize": SIZE, "bodySize": SIZE,
    },
    {"postData": members({"mimeType": STRING, "text": STRING}, {"params": listed(PARAM)})})
RESPONSE = members({
    "status": INTEGER, "statusText": STRING, "httpVersion": STRING, "cookies": listed(COOKIE),
    "headers": listed(PAIR),
    "content": members(
        {"size": SIZE, "mimeType": STRING}, {"compression": INTEGER, "text": STRING, "encoding": STRING}),
    "redirectURL": STRING, "headersSize": SIZE, "bodySize": SIZE,
})
TIMINGS = members(
    {"send": LASTING, "wait": LASTING, "receive": LASTING},
    {"blocked": PHASE, "dns": PHASE, "connect": PHASE, "ssl": PHASE})
ENTRY = members(
    {
        "startedDateTime": STRING, "time": LASTING, "request": REQUEST, "response": RESPONSE,
        "cache": members({}, {"beforeRequest": {}, "afterRequest": {}}), "timings": TIMINGS,
    },
    {"pageref": STRING, "serverIPAddress": STRING, "connection": STRING})
PRODUCT = members({"name": STRING, "version": STRING})
ARCHIVE = {
    "type": "object", "required": ["log"], "additionalProperties": False,
    "properties": {
        "log": members(
            {"version": {"const": "1.2"}, "creator": PRODUCT, "entries": listed(ENTRY)},
            {"browser": PRODUCT, "pages": listed({"type": "object"})})},
}


def check(path):
    """The entries of a file, in order; raises ValueError where it breaks a rule."""
    with open(path, encoding="utf-8") as file:
        archive = json.load(file)
    try:
        jsonschema.Draft202012Validator(ARCHIVE).validate(archive)
    except jsonschema.ValidationError as error:
        raise ValueError(f"{path}: {error.json_path}: {error.message}") from error
    entries = archive["log"]["entries"]
    for entry in entries:
        begin = datetime.datetime.fromisoformat(entry["startedDateTime"])
        if begin.tzinfo is None or "." not in entry["startedDateTime"]:
            raise ValueError(f"{path}: {entry['startedDateTime']} has no zone or no milliseconds")
        timings = entry["timings"]
        # ssl is a part of connect.
        total = sum(max(0, value) for name, value in timings.items() if name != "ssl")
        if abs(total - entry["time"]) > 0.01 + entry["time"] * 0.001:
            raise ValueError(f"{path}: the phases of {entry['request']['url']} take {total} of {entry['time']} ms")
        if timings.get("ssl", -1) > timings.get("connect", -1):
            raise ValueError(f"{path}: the TLS handshake takes longer than the connection")
    return sorted(entries, key=lambda entry: entry["_number"])


def main():
    try:
        entries = [entry for path in sys.argv[1:] for entry in check(path)]
    except ValueError as error:
        print(f"check_har.py: {error}", file=sys.stderr)
        return 1
    facts = [
        {
            "method": entry["request"]["method"], "url": entry["request"]["url"],
            "status": entry["response"]["status"], "time": entry["time"],
            **{name[1:]: value for name, value in entry.items() if name.startswith("_")},
        } for entry in entries]
    print(json.dumps(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
