#!/bin/sh
# In place of the program: notes the words that it is asked to complete, and prints what a test has for them.
[ "$1" = __complete ] || exit 1
shift
notes=${0%/*}/../notes
printf '%s\n' "$@" >"$notes/words"
cat "$notes/response"
