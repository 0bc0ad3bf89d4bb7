#!/bin/bash
# Checks the model of a refresh (renewal.pml): whole, where spin must find no error and must have reached every step,
# and with one protective step after the other taken out, where it must find one. Ends with 'N passed, N failed'.
#
# No run has everybody in it: all states of two callers with two runs each, or of fewer runs with the others.
set -u
model=$(cd "$(dirname "$0")" && pwd)/renewal.pml
place=$(mktemp -d /tmp/model-XXXXXX)
trap 'rm -rf "$place"' EXIT

# check NAME FLAG…: makes the checker and runs it, in a folder of its own.
check() {
  mkdir -p "$place/$1" && cd "$place/$1" && cp "$model" . || return
  shift
  spin -a "$@" renewal.pml >made 2>&1 && cc -O1 -w -DSAFETY -DMEMLIM=2000 -o pan pan.c >>made 2>&1 &&
    ./pan -m10000 >log 2>&1
  # Said by pan, as all else: an error ends it with 0 too.
  [ -e log ] || cp made log
}

whole=(
  "two-runs-one-crash RUNS=2 KILLS=1"
  "one-run-two-crashes RUNS=1 KILLS=2"
  "logout-outsider RUNS=1 KILLS=1 WITH_LOGOUT WITH_OUTSIDER"
  "login RUNS=1 KILLS=1 WITH_LOGIN"
  "login-logout RUNS=1 KILLS=0 WITH_LOGIN WITH_LOGOUT"
)
# What is taken out, what spin says of it, and who is needed for it.
broken=(
  "NO_LOCK marked"
  "NO_SECOND_READ spent"
  "NO_MARK marked"
  "MARK_TAKEN_OUT marked"
  "CHILD_WITHOUT_LOCK marked"
  "LOCK_OUTLIVES_ITS_HOLDER freed"
  "STORE_CREATES fenced WITH_LOGOUT WITH_OUTSIDER"
  "LOGOUT_WITHOUT_LOCK fenced WITH_LOGOUT"
  "HOLD_NOT_REVOKED fenced WITH_LOGOUT"
  "HOLD_REVOKED_ANYWAY over"
  "RESCUE_UNCOMPARED kept WITH_LOGIN"
  "HOOK_WITH_LOCK end WITH_LOGIN"
)
all=()
for line in "${whole[@]}"; do all+=("$line"); done
for line in "${broken[@]}"; do
  read -r name _ flags <<<"$line"
  all+=("$name RUNS=1 KILLS=1 BREAK_$name $flags")
done
running=0
for line in "${all[@]}"; do
  # Two at a time.
  [ "$running" -lt 2 ] || { wait -n; running=$((running - 1)); }
  read -r name flags <<<"$line"
  read -r -a words <<<"$flags"
  (check "$name" "${words[@]/#/-D}") &
  running=$((running + 1))
done
wait

passed=0 failed=0
tell() { # STATUS TEXT
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "$([ "$1" -eq 0 ] && echo passed || echo FAILED): $2"
}
states() { sed -n 's/^ *\([0-9]*\) states, stored.*/\1 states/p' "$1"; }

logs=()
for line in "${whole[@]}"; do
  name=${line%% *} status=0
  log=$place/$name/log
  logs+=("$log")
  grep -q 'errors: 0$' "$log" && ! grep -q 'not completed' "$log" || status=1
  tell $status "the whole model, $name: $(states "$log")"
  [ $status -eq 0 ] || { cat "$log"; (cd "$place/$name" && spin -t -p -g renewal.pml | tail -80); }
done
# A claim about what never happens would be worth nothing.
unreached=$(awk '
  /^unreached in / { process = $4; there[process]++; next }
  /^\t.*, state / && !/-end-/ && process != "Claims" { seen[process " " $0]++ }
  END { for (line in seen) { split(line, word, " "); if (seen[line] == there[word[1]]) print line } }
' "${logs[@]}")
[ "$failed" -eq 0 ] && [ -z "$unreached" ]
tell $? "every step of the whole model is reached${unreached:+, but for:
$unreached}"
for line in "${broken[@]}"; do
  read -r name claim _ <<<"$line"
  status=0 log=$place/$name/log
  grep -q "^pan:1: .*\b$claim\b" "$log" || status=1
  tell $status "broken by $name: $(sed -n 's/^pan:1: \(.*\) (at depth.*/\1/p' "$log")"
  [ $status -eq 0 ] || cat "$log"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
