#!/bin/bash
# Measures authctl against what people use today, each pair in turn on the same machine: bench.sh RELEASE_DIRECTORY
#
# RUNS pairs of each (30 unless set). Everything happens on loopback and in a D-Bus session of its own.
set -eu
cd "$(dirname "$0")/../.."
bin=$(cd "$1" && pwd)
runs=${RUNS:-30}

if [ -z "${AUTHCTL_BENCH:-}" ]; then
  place=$(mktemp -d /var/tmp/authctl-bench-XXXXXX)
  trap 'rm -rf "$place"' EXIT
  export AUTHCTL_BENCH=$place HOME=$place XDG_RUNTIME_DIR=$place/r XDG_DATA_HOME=$place/d XDG_CONFIG_HOME=$place/c
  export XDG_STATE_HOME=$place/s TMPDIR=$place
  mkdir -m 700 "$place"/{r,d,c,s}
  unset DBUS_SESSION_BUS_ADDRESS AUTHCTL_PROFILE AUTHCTL_ACCESS_TOKEN http_proxy https_proxy all_proxy ALL_PROXY
  # The dbus-daemon that may not raise its file limit says so each time; our own words go around that.
  dbus-run-session -- "$0" "$bin" 3>&2 2>/dev/null
  exit
fi
exec 2>&3 3>&-

place=$AUTHCTL_BENCH
printf bench | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
exec 3< <(exec "$bin/authlab" --port 0 --access-lifetime 3600 --reuse strict)
lab=$!
exec 4< <(exec /usr/bin/python3 Tests/Servers/bulk.py)
bulk=$!
trap 'kill $lab $bulk ${answers:-} 2>/dev/null || true' EXIT
read -r line <&3
issuer=${line##* }
read -r port <&4
bulk_url=http://127.0.0.1:$port
# Their addresses must be in the profile before they are started.
free_port() {
  /usr/bin/python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
answers_port=$(free_port)
stream_port=$(free_port)
answers_url=http://127.0.0.1:$answers_port
PATH=$bin:$PATH
ulimit -n 4096 2>/dev/null || true

printf alice-pass | authctl --quiet login work --flow password --username alice --password-stdin \
  --issuer "$issuer" --client-id cli --api "$issuer/api" --api "$bulk_url" --api "$answers_url" \
  --api "http://127.0.0.1:$stream_port"
# What people keep with secret-tool: the bare access token.
authctl token | tr -d '\n' | secret-tool store --label=bench bench token

pair() { /usr/bin/python3 Tests/Bench/paired.py --runs "$runs" "$@"; }
lookup='secret-tool lookup bench token'
ours="application authctl profile work kind tokens"

echo "== one small GET: authctl call ÷ curl with secret-tool (must be below 1.0)"
pair 'call' -- authctl call "$issuer/api/me" \
  -- sh -c "curl -s -H \"Authorization: Bearer \$($lookup)\" $issuer/api/me"
echo "== authctl token ÷ secret-tool lookup (aim: 1.0)"
# shellcheck disable=SC2086 # a list of words
pair 'token' -- authctl token -- secret-tool lookup $ours
echo "== one small GET: call with --trace ÷ call without (at most 1.03)"
pair 'trace' -- authctl call --trace "$place/trace.har" "$issuer/api/me" -- authctl call "$issuer/api/me"

# 1,000 small GETs from a server that is not what is measured, and takes nothing but the token.
cc -O2 -o "$place/answers" Tests/Bench/answers.c
(umask 077 && authctl token --header >"$place/header")
exec 5< <(exec "$place/answers" "$answers_port" <"$place/header")
answers=$!
read -r port <&5
for number in $(seq 1000); do echo "$answers_url/items/$number"; done >"$place/lines"
sed 's/.*/url = "&"/' "$place/lines" >"$place/config"
# The shell throws away the meter that curl shows of parallel transfers also with -s.
for many in 10 20 50; do
  echo "== 1,000 small GETs, $many at a time: call --batch ÷ curl --parallel with one config file (aim: 1.0)"
  pair "batch, $many" -- authctl call --batch "$place/lines" --parallel $many \
    -- sh -c "exec curl -s -H @$place/header -Z --parallel-max $many -K $place/config 2>/dev/null"
done
echo "== 1,000 small GETs, 20 at a time: call --batch ÷ xargs -P of curl with a token (must be below 1.0)"
few=$([ "$runs" -lt 5 ] && echo "$runs" || echo 5)
runs=$few pair 'batch, xargs' -- authctl call --batch "$place/lines" --parallel 20 \
  -- sh -c "xargs -P 20 -n 1 curl -s -H @$place/header <$place/lines"

echo "== 10,000 lines of events: latency of a line, call ÷ curl -N"
STREAM_PORT=$stream_port /usr/bin/python3 Tests/Bench/latency.py latency -- authctl call URL -- curl -s -N URL

gib=$((1 << 30))
truncate -s $gib "$place/gib"
truncate -s 1M "$place/mib"
big=$([ "$runs" -lt 30 ] && echo "$runs" || echo 30)
echo "== 1 GiB down (at most 1.1)"
runs=$big pair 'down' -- authctl call -s "$bulk_url/bytes/$gib" -- curl -s "$bulk_url/bytes/$gib"
echo "== 1 GiB up from a file: call --data-binary @FILE ÷ curl -T FILE (at most 1.1)"
runs=$big pair 'up' -- authctl call -X PUT --data-binary "@$place/gib" "$bulk_url/sink" \
  -- curl -s -T "$place/gib" "$bulk_url/sink"

/usr/bin/python3 Tests/Bench/memory.py "$bulk_url" "$place"
/usr/bin/python3 Tests/Torture/torture.py "$bin" --only storm
