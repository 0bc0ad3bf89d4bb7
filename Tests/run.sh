#!/bin/bash
# Runs the built tests with Swift Testing's arguments: run.sh --filter CurlTests
#
# It starts the program of the tests itself: `swift test` would wait for a build that is under way, and plan one.
# Of a failed run the failed tests are printed again at the end: of several thousand lines the last may be all that
# is kept.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
log=$(mktemp)
trap 'rm -f "$log"' EXIT
program=.build/debug/authctlPackageTests.xctest
changed=$(find Package.swift Sources Tests -name '*.swift' -newer "$program" | head -n 1)
[ -z "$changed" ] || echo "warning: $changed has changed since the tests were built: swift build --build-tests" >&2
# On a dumb terminal the signs of the lines have no colours before them.
TERM=dumb "$program" --testing-library swift-testing "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
# A filter that fits no test must not pass.
[ "$status" -ne 0 ] || grep -qE 'Test run with [1-9][0-9]* tests? ' "$log" || status=1
[ "$status" -ne 0 ] || exit 0
echo
echo "The tests with $* ended with $status. What failed:"
# An issue goes on to the next line that begins with a sign of its own. What is no test, such as a crash, is an error of
# Swift's.
awk '
  /^✘/ { told = 1; lines = 0 }
  /^(◇|✔|➜|⚠|↻|\[|Test Suite|\t* ?Executed)/ { told = 0 }
  /^error: |[Ff]atal error: / { print; next }
  told && lines++ < 40
' "$log"
exit "$status"
