# shellcheck shell=bash
# bash completion for authctl, for bash 4.4 or later. The program itself knows what may stand at the cursor:
# `authctl __complete WORDS...` prints what bash adds, where the completed part begins, and the candidates.
_authctl_complete() {
  local line=${COMP_LINE:0:COMP_POINT} words=() part word kind start rest candidates found=()
  local -A actions=([file]=-f [command]=-f [directory]=-d [program]=-c)
  # The words up to the cursor, whole: bash cuts them at = : and @ as well as at blanks.
  for part in "${COMP_WORDS[@]:0:COMP_CWORD}"; do
    if [[ ${#words[@]} == 0 || $line == [[:blank:]]* ]]; then words+=(''); fi
    line=${line#"${line%%[![:blank:]]*}"}
    line=${line#"$part"}
    words[-1]+=$part
  done
  if [[ $line == [[:blank:]]* ]]; then words+=(''); fi
  words[-1]+=${line#"${line%%[![:blank:]]*}"}
  # Of a quote that is not closed yet, the completed part is what follows.
  word=${words[-1]#[\"\']}

  COMPREPLY=()
  { read -r kind start _ && mapfile -t candidates; } \
    < <(command authctl __complete "${words[@]:1:${#words[@]}-2}" "$word" 2>/dev/null) || return
  if [[ $kind == command ]]; then start=0; fi
  rest=${word:start}
  rest=${rest#[\"\']}
  for part in "${candidates[@]%%$'\t'*}"; do
    if [[ $part == "$rest"* ]]; then found+=("$part"); fi
  done
  if [[ ${actions[$kind]} ]]; then
    if [[ $kind != program ]]; then compopt -o filenames; fi
    mapfile -t -O "${#found[@]}" found < <(compgen "${actions[$kind]}" -- "$rest")
  fi
  # bash replaces $2 only, which begins after the last = or :, or at the last @, if it cuts words there.
  COMPREPLY=("${found[@]/#/"${word%"$rest"}"}")
  COMPREPLY=("${COMPREPLY[@]#"${word%"$2"}"}")
}

complete -F _authctl_complete authctl
