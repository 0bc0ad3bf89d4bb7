#!/bin/bash
# Runs `swift test` with the arguments given, and ends with its exit status: run.sh --skip-build --filter CurlTests
#
# Its output is shown as it comes. Where it fails, what the failed tests said is said again at the end: of several
# thousand lines only the last ones may have been kept.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test "$@" 2>&1 | tee "$log"
status=$?
[ "$status" -ne 0 ] || exit 0
echo
echo "swift test $* ended with $status. What failed:"
# An issue goes on to the next line that begins with a sign of its own. What is no test, such as a crash, is an error of
# swift's.
awk '
  /^✘/ { told = 1; lines = 0 }
  /^(◇|✔|➜|⚠|↻|\[|Test Suite|\t* ?Executed)/ { told = 0 }
  /^error: |[Ff]atal error: / { print; next }
  told && lines++ < 40
' "$log"
exit "$status"
