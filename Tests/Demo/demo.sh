#!/bin/bash
# The main job, shown: login, call, expiry, 401, refresh, replay, status, logout, against a loopback server whose tokens
# live for two seconds, with a real keyring on a D-Bus session of its own. Nothing of the user's is touched.
set -eu
cd "$(dirname "$0")/../.."
bin=$(cd "$1" && pwd)

if [ -z "${AUTHCTL_DEMO:-}" ]; then
  place=$(mktemp -d /tmp/authctl-demo-XXXXXX)
  trap 'rm -rf "$place"' EXIT
  export AUTHCTL_DEMO=$place HOME=$place XDG_RUNTIME_DIR=$place/r XDG_DATA_HOME=$place/d XDG_CONFIG_HOME=$place/c
  export XDG_STATE_HOME=$place/s
  mkdir -m 700 "$place"/{r,d,c,s}
  unset DBUS_SESSION_BUS_ADDRESS AUTHCTL_PROFILE AUTHCTL_ACCESS_TOKEN http_proxy https_proxy all_proxy ALL_PROXY
  # The dbus-daemon that may not raise its file limit says so each time; our own words go around that.
  dbus-run-session -- "$0" "$bin" 3>&2 2>/dev/null
  exit
fi
exec 2>&3 3>&-

printf demo | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
exec 3< <(exec "$bin/authlab" --port 0 --access-lifetime 2 --grant-without-page --registration)
lab=$!
trap 'kill $lab 2>/dev/null || true' EXIT
read -r line <&3
issuer=${line##* }
curl --silent --fail --output /dev/null "$issuer/control/settings" \
  --data "{\"resource_metadata\": true, \"resource_metadata_url\": \"$issuer/resource-metadata\"}"
PATH=$bin:$PATH
# The person at the browser: follows the redirects, as one who is logged in at the server already.
export BROWSER='curl --silent --location --output /dev/null'

step() { printf '\n\033[1m# %s\033[0m\n' "$1"; }
show() { printf '\033[36m$ %s\033[0m\n' "$*"; "$@"; }

step 'Log in with the browser, from the address of an API alone; the profile is written when it has worked'
show authctl login "$issuer/api" --profile work

step 'Call the API'
show authctl call me; echo

step 'Who is logged in, until when'
show authctl status work

step 'The token expires (it lives for 2 seconds) and is refreshed automatically, here with the log'
sleep 2.1
show authctl --verbose call me; echo

step 'The server revokes all access tokens: 401, one refresh, one replay, with the same body'
curl --silent --fail --output /dev/null --request POST "$issuer/control/expire"
show authctl --verbose call --json '{"name": "x"}' sink; echo

step 'Ten processes at once with an expired token: one refresh for all of them'
sleep 2.1
before=$(curl --silent "$issuer/control/counters" | grep -o '"token.refresh_token.ok":[0-9]*' | cut -d: -f2)
pids=()
for _ in 1 2 3 4 5 6 7 8 9 10; do authctl call me >/dev/null & pids+=($!); done
for pid in "${pids[@]}"; do wait "$pid"; done
after=$(curl --silent "$issuer/control/counters" | grep -o '"token.refresh_token.ok":[0-9]*' | cut -d: -f2)
echo "10 successes, $((after - before)) refresh"
[ $((after - before)) -eq 1 ]

step 'What a script sees'
show authctl status --json work
show authctl call status/404 || echo "exit status $?"

step 'Log out: revoked at the server, gone from the keyring'
show authctl logout work
show authctl call me || echo "exit status $?: a person must log in"
