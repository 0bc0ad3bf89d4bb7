#!/bin/bash
# Runs the faces to C under valgrind, in a session of their own: any error, or anything definitely lost, fails.
#
# valgrind 3.19 gives up on Swift's debug information and on its shared libraries: it gets stripped release builds with
# the runtime in them, which also is what is installed.
set -eu
cd "$(dirname "$0")/.."
place=$(mktemp -d /tmp/leaks-XXXXXX)
bulk=""
clean_up() {
  [ -z "$bulk" ] || kill "$bulk" 2>/dev/null || true
  rm -rf "$place"
}
trap clean_up EXIT
for probe in KeyringProbe CurlProbe; do
  swift build --configuration release --static-swift-stdlib --product "$probe" >"$place/log" 2>&1 ||
    { cat "$place/log"; exit 1; }
  strip --strip-debug -o "$place/$probe" ".build/release/$probe"
done

export HOME=$place XDG_DATA_HOME=$place/d XDG_RUNTIME_DIR=$place/r XDG_CONFIG_HOME=$place/c XDG_STATE_HOME=$place/s
mkdir -m 700 "$place"/{d,r,c,s}
check="valgrind -q --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect \
  --error-exitcode=9"
passed=0 failed=0
tell() { # NAME STATUS
  if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "valgrind, $1: $([ "$2" -eq 0 ] && echo 'no error, nothing lost' || echo "failed ($2)")"
}

status=0
dbus-run-session -- sh -c 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
  '"$check $place/KeyringProbe cycle 20 65536" || status=$?
tell "keyring, 20 times 64 KiB saved, loaded and cleared" $status

exec 3< <(exec /usr/bin/python3 Tests/Servers/bulk.py)
bulk=$!
read -r port <&3
status=0
$check "$place/CurlProbe" leaks "http://127.0.0.1:$port" || status=$?
tell "transport, requests of every kind" $status

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
