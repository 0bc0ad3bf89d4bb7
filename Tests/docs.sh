#!/bin/bash
# Checks the documentation of AuthCore: every public symbol has a comment, every public type is among the catalog's
# topics, and docc finds no link that leads nowhere.
#
# It needs a debug build. Symbols that come from other modules (`==`, `encode(to:)` of a conformance) are documented
# there.
set -eu
cd "$(dirname "$0")/.."
place=$(mktemp -d /tmp/docs-XXXXXX)
trap 'rm -rf "$place"' EXIT
mkdir "$place/graphs"

modules=.build/debug/Modules
maps=()
for map in .build/debug/*.build/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap; do
  [ -e "$map" ] && maps+=(-Xcc "-fmodule-map-file=$map")
done
swift-symbolgraph-extract -module-name AuthCore -I "$modules" -target "$(swiftc -print-target-info |
  sed -n 's/.*"unversionedTriple": "\(.*\)",/\1/p' | head -1)" "${maps[@]}" \
  -minimum-access-level public -skip-synthesized-members -output-dir "$place/graphs"

/usr/bin/python3 - "$place/graphs/AuthCore.symbols.json" <<'CHECK'
import json, sys

symbols = json.load(open(sys.argv[1]))["symbols"]
lacking = sorted(
    ".".join(symbol["pathComponents"]) for symbol in symbols
    if not any(line["text"].strip() for line in symbol.get("docComment", {}).get("lines", [])))
for name in lacking:
    print(f"no doc comment: {name}")
print(f"doc comments: {len(symbols) - len(lacking)} of {len(symbols)} public symbols")

catalog = open("Sources/AuthCore/AuthCore.docc/AuthCore.md", encoding="utf-8").read()
kinds = {"swift." + kind for kind in ("struct", "class", "enum", "protocol", "actor", "typealias")}
types = [
    symbol["pathComponents"][0] for symbol in symbols
    if symbol["kind"]["identifier"] in kinds and len(symbol["pathComponents"]) == 1]
absent = sorted(name for name in types if f"- ``{name}``" not in catalog)
for name in absent:
    print(f"not in the catalog's topics: {name}")
print(f"topics: {len(types) - len(absent)} of {len(types)} public types")
sys.exit(1 if lacking or absent or not types else 0)
CHECK

docc convert Sources/AuthCore/AuthCore.docc --additional-symbol-graph-dir "$place/graphs" \
  --output-path "$place/archive" --fallback-display-name AuthCore --fallback-bundle-identifier AuthCore \
  --diagnostics-file "$place/diagnostics.json" >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }

/usr/bin/python3 - "$place/diagnostics.json" <<'CHECK'
import json, sys

# A parameter whose name says it all has no comment, by choice.
found = [
    f"{item.get('source', '').rsplit('/Sources/', 1)[-1]}: {item['summary']}"
    for item in json.load(open(sys.argv[1]))["diagnostics"]
    if not item["summary"].endswith("is missing documentation")]
print("\n".join(found + [f"docc: {len(found)} links or names that lead nowhere"]))
sys.exit(1 if found else 0)
CHECK
