#!/bin/bash
# The main job, shown in less than 100 lines: login, call, 401, refresh, replay, expiry, doctor, inspect and logout,
# against a loopback server whose tokens live for two seconds, with a real keyring on a D-Bus session of its own.
# Nothing of the user's is touched. A page with the trace of a call is left in .build.
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

page=.build/demo.html

bold='' colour='' plain=''
if [ -t 1 ]; then bold=$'\033[1m' colour=$'\033[36m' plain=$'\033[0m'; fi
step() { printf '\n%s# %s%s\n' "$bold" "$1" "$plain"; }
show() { printf '%s$ %s%s\n' "$colour" "$*" "$plain"; "$@"; }
refreshes() { curl --silent "$issuer/control/counters" | grep -o '"token.refresh_token.ok":[0-9]*' | cut -d: -f2; }

step 'Log in with the browser, from the address of an API alone, and call the API'
show authctl login "$issuer/api" --profile work
show authctl call me; echo

step 'The server revokes all access tokens: 401, one refresh, one replay, with the same body'
curl --silent --fail --output /dev/null --request POST "$issuer/control/expire"
show authctl call --trace - --trace "$page" -d name=x count
echo "The same with all header lines, as a page for a browser: $PWD/$page"

step 'Ten processes at once with an expired token: one refresh for all of them'
sleep 2.1
before=$(refreshes)
pids=()
for _ in 1 2 3 4 5 6 7 8 9 10; do authctl call me >/dev/null & pids+=($!); done
for pid in "${pids[@]}"; do wait "$pid"; done
after=$(refreshes)
echo "10 successes, $((after - before)) refresh"
[ $((after - before)) -eq 1 ]

step 'Is everything in order, and what is in the token?'
show authctl doctor work
show authctl inspect work

step 'Log out: revoked at the server, gone from the keyring'
show authctl logout work
show authctl call me || echo "exit status $?: a person must log in"
