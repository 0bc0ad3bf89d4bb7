#!/bin/bash
# Builds the fuzzing targets and gives each the inputs in Corpus/TARGET and then, for so many seconds, what libFuzzer
# makes of them: fuzz.sh SECONDS [TARGET...]. In `make test`, fuzz.sh build builds only, and fuzz.sh short tries 5,000
# inputs for each target, the same each time: a failure means that something has changed.
#
# What leads somewhere new is kept in .build/fuzz/corpus; what breaks a property, or crashes, or hangs, in
# .build/fuzz/found. To look at one input again: .build/debug/Fuzz TARGET FILE. To take over what is new:
# .build/debug/Fuzz TARGET -merge=1 Tests/Fuzz/Corpus/TARGET .build/fuzz/corpus/TARGET
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:?the number of seconds is missing} kind=fast limit=(-max_total_time="$1")
shift
place=.build/fuzz
log=$(mktemp)
trap 'rm -f "$log"' EXIT
mkdir -p $place
ln -sfn ../../Sources/AuthCore ../../Sources/HTTPServer ../../Sources/AuthctlCLI $place/
# The program of a short run is not optimized: building it must not take longer than running it.
# Its priority is that of `make test`.
polite=(nice)
case $seconds in build | short) kind=short limit=(-runs=5000 -seed=1) polite=() ;; esac
AUTHCTL_FUZZ=$kind "${polite[@]}" swift build --product Fuzz >"$log" 2>&1 || { cat "$log"; exit 1; }
[ "$seconds" != build ] || exit 0
program=.build/debug/Fuzz
[ $# -gt 0 ] || mapfile -t targets < <("$program")
[ $# -eq 0 ] || targets=("$@")

# What a target says goes to a file of its own, since as many run at once as there are processors.
run() { # TARGET
  local seeds=("Tests/Fuzz/Corpus/$1")
  [ "$1" != profile ] || seeds+=(Sources/AuthctlCLI/Templates)
  mkdir -p "$place/corpus/$1" "$place/found/$1"
  # Leaks are not looked for. Swift's own report of a crash does not get on with the sanitizer's.
  ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no "${polite[@]}" "$program" "$1" "${limit[@]}" \
    -max_len=65536 -timeout=600 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$place/found/$1/" \
    "$place/corpus/$1" "${seeds[@]}" >"$place/$1.log" 2>&1
}

passed=0 failed=0 next=0 running=0
declare -A names=()
while [ $next -lt ${#targets[@]} ] || [ $running -gt 0 ]; do
  if [ $next -lt ${#targets[@]} ] && [ $running -lt "$(nproc)" ]; then
    run "${targets[$next]}" &
    names[$!]=${targets[$next]}
    next=$((next + 1)) running=$((running + 1))
    continue
  fi
  status=0
  wait -n -p process || status=$?
  name=${names[$process]}
  running=$((running - 1))
  # Most inputs must come to what the target is for.
  reach=$(sed -n 's/^reach: //p' "$place/$name.log" | tail -1)
  if [ "${reach:-100}" -lt 50 ]; then
    echo "fuzz, $name: only $reach % of the inputs come to what it is for"
    [ "$status" -ne 0 ] || status=1
  fi
  if [ "$status" -eq 0 ]; then
    passed=$((passed + 1))
    awk -v name="$name" '
      /^stat::number_of_executed_units/ { runs = $2 }
      /^stat::average_exec_per_sec/ { speed = $2 }
      /^stat::new_units_added/ { new = $2 }
      END { print "fuzz, " name ": " runs " inputs, " speed " a second, " new " of them new" }' "$place/$name.log"
  else
    failed=$((failed + 1))
    echo "fuzz, $name: failed ($status)"
    tail -n 40 "$place/$name.log"
  fi
done
# How the time grows with the length: nothing is decided by it.
[ $kind = short ] || ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no "$program" times
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
