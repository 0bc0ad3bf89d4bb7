#!/usr/bin/python3
"""Checks HTTP archives against the rules of HAR 1.2, by programs of other people: check_har.py FILE…

Each file must be valid against the published JSON schema of HAR 1.2, which Debian's package node-har-schema carries,
also with the rule of the specification (www.softwareishard.com/blog/har-12-spec) that only names with an underscore may
be added. haralyzer, a HAR library of the Python package index, must read the same requests in it. The rules that
neither checks, such as the sum of the phases, are checked here. Prints one line of JSON with the method, URL, status
and members of each entry, in the order in which they were sent. Exit status: 0, 1 where a file breaks a rule.
"""
import copy
import datetime
import json
import pathlib
import sys

from haralyzer import HarParser
from jsonschema import Draft6Validator, FormatChecker, ValidationError
from referencing import Registry
from referencing.jsonschema import DRAFT6

SCHEMA = pathlib.Path("/usr/share/nodejs/har-schema/lib")


def strict(schema):
    """A copy of a schema whose objects have no members but theirs, and those with an underscore."""
    schema = copy.deepcopy(schema)
    if "properties" in schema:
        schema["patternProperties"] = {"^_": {}}
        schema["additionalProperties"] = False
    schema["definitions"] = {name: strict(part) for name, part in schema.get("definitions", {}).items()}
    return schema


def validator(change=lambda schema: schema):
    """The published schema, each part of which is changed."""
    parts = [json.loads(path.read_text(encoding="utf-8")) for path in SCHEMA.glob("*.json")]
    if not parts:
        raise ValueError(f"no schema in {SCHEMA}: install node-har-schema")
    registry = Registry().with_resources(
        (part["$id"].rstrip("#"), DRAFT6.create_resource(change(part))) for part in parts)
    return Draft6Validator({"$ref": "har.json"}, registry=registry, format_checker=FormatChecker())


def facts(entries):
    """What haralyzer says about some entries."""
    return [
        (entry.request.method, entry.request.url, entry.request.httpVersion, entry.response.status,
         entry.response.statusText, entry.response.mimeType, entry.startTime.timestamp(), entry.time,
         entry.request.headers, entry.response.headers) for entry in entries]


def reread(path, entries):
    """Raises ValueError where haralyzer reads something else than the entries."""
    parser = HarParser.from_file(path)
    read = [entry for page in parser.pages for entry in page.entries]
    wanted = [
        (entry["request"]["method"], entry["request"]["url"], entry["request"]["httpVersion"],
         entry["response"]["status"], entry["response"]["statusText"], entry["response"]["content"]["mimeType"],
         datetime.datetime.fromisoformat(entry["startedDateTime"]).timestamp(), entry["time"],
         entry["request"]["headers"], entry["response"]["headers"]) for entry in entries]
    # It sorts them by their times, some of which are the same.
    if sorted(map(str, facts(read))) != sorted(map(str, wanted)) or parser.version != "1.2":
        raise ValueError(f"{path}: haralyzer reads {facts(read)}")
    if entries and sum(len(assets) for assets in HarParser.create_asset_timeline(read).values()) < len(entries):
        raise ValueError(f"{path}: haralyzer's timeline lacks entries")


def check_entry(path, entry):
    """Raises ValueError where an entry breaks a rule that the schema does not state."""
    url, timings = entry["request"]["url"], entry["timings"]
    if datetime.datetime.fromisoformat(entry["startedDateTime"]).tzinfo is None or "." not in entry["startedDateTime"]:
        raise ValueError(f"{path}: {entry['startedDateTime']} has no zone or no milliseconds")
    # The schema's own limits are misspelled, so that they do not count.
    if any(value < (0 if name in ("send", "wait", "receive") else -1) for name, value in timings.items()):
        raise ValueError(f"{path}: {url} has the phases {timings}")
    # ssl is a part of connect.
    total = sum(max(0, value) for name, value in timings.items() if name != "ssl")
    if abs(total - entry["time"]) > 0.01 + entry["time"] * 0.001:
        raise ValueError(f"{path}: the phases of {url} take {total} of {entry['time']} ms")
    if timings.get("ssl", -1) > timings.get("connect", -1):
        raise ValueError(f"{path}: the TLS handshake takes longer than the connection")
    for param in entry["request"].get("postData", {}).get("params", []):
        if set(param) - {"name", "value"} or "name" not in param:
            raise ValueError(f"{path}: a field of the form of {url} is {param}")
    if entry["response"]["status"] == 0 and "_error" not in entry["response"]:
        raise ValueError(f"{path}: the response to {url} has the status {entry['response']['status']}")


def check(path):
    """The entries of a file, in order; raises ValueError where it breaks a rule."""
    with open(path, encoding="utf-8") as file:
        archive = json.load(file)
    for schema in (validator(), validator(strict)):
        try:
            schema.validate(archive)
        except ValidationError as error:
            raise ValueError(f"{path}: {error.json_path}: {error.message}") from error
    entries = archive["log"]["entries"]
    reread(path, entries)
    for entry in entries:
        check_entry(path, entry)
    return sorted(entries, key=lambda entry: entry["_number"])


def main():
    try:
        entries = [entry for path in sys.argv[1:] for entry in check(path)]
    except ValueError as error:
        print(f"check_har.py: {error}", file=sys.stderr)
        return 1
    print(json.dumps([
        {
            "method": entry["request"]["method"], "url": entry["request"]["url"],
            "status": entry["response"]["status"], "reason": entry["response"]["statusText"], "time": entry["time"],
            "comment": entry["response"]["content"].get("comment", ""),
            "error": entry["response"].get("_error"),
            **{name[1:]: value for name, value in entry.items() if name.startswith("_")},
        } for entry in entries]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
