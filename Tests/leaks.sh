#!/bin/bash
# Runs the faces to C under valgrind, in a session of their own: leaks.sh FOLDER. Any error, or anything definitely
# lost, fails.
#
# FOLDER holds KeyringProbe and CurlProbe, built as the program is: valgrind 3.19 gives up on Swift's debug information
# and on its shared libraries.
set -eu
cd "$(dirname "$0")/.."
probes=$(cd "$1" && pwd)
place=$(mktemp -d /tmp/leaks-XXXXXX)
bulk=""
clean_up() {
  [ -z "$bulk" ] || kill "$bulk" 2>/dev/null || true
  rm -rf "$place"
}
trap clean_up EXIT
export HOME=$place XDG_DATA_HOME=$place/d XDG_RUNTIME_DIR=$place/r XDG_CONFIG_HOME=$place/c XDG_STATE_HOME=$place/s
mkdir -m 700 "$place"/{d,r,c,s}
# What libc frees at its end unloads the libraries that were loaded when needed: what they keep would count as lost.
check="valgrind -q --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect \
  --error-exitcode=9 --run-libc-freeres=no"
passed=0 failed=0
tell() { # NAME STATUS
  if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "valgrind, $1: $([ "$2" -eq 0 ] && echo 'no error, nothing lost' || echo "failed ($2)")"
}

status=0
dbus-run-session -- sh -c "printf pw | $check $probes/KeyringProbe unlock &&
  $check $probes/KeyringProbe cycle 20 65536" || status=$?
tell "keyring, unlocked, and 20 times 64 KiB saved, loaded and cleared" $status

exec 3< <(exec /usr/bin/python3 Tests/Servers/bulk.py)
bulk=$!
read -r port <&3
status=0
$check "$probes/CurlProbe" leaks "http://127.0.0.1:$port" || status=$?
tell "transport, requests of every kind" $status

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
