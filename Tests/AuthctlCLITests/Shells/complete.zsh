# Prints what zsh offers at the end of a line typed on a pseudo-terminal, each with a tab and what is shown for it:
# complete.zsh DIRECTORY LINE
zmodload zsh/zpty || exit 1
directory=$1
line=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf $work' EXIT
mkfifo $work/answer || exit 1

print -r -- "directory=${(q)directory} work=${(q)work}" >$work/rc
cat >>$work/rc <<'END'
PROMPT=
fpath=($directory $fpath)
autoload -Uz compinit
compinit -u -D
zstyle ':completion:*' list-max-items 1000
# Every match goes through compadd: a call that stores them for its caller is let through, others are noted.
compadd() {
  emulate -L zsh -o extended_glob
  local -a found shown stored texts
  local -i number
  local text
  zparseopts -E -a stored O: A: D:
  if (( $#stored )); then
    builtin compadd "$@"
    return
  fi
  zparseopts -E -a texts d:
  # -D removes from the shown texts those whose match is removed, as it does from the list given.
  (( $#texts )) && shown=("${(@P)texts[2]}")
  builtin compadd -A found -D shown "$@"
  for (( number = 1; number <= $#found; number++ )); do
    text=$IPREFIX${(Q)found[number]}
    [[ -d $text ]] && text+=/
    print -r -- "$text"$'\t'"$shown[number]" >>$work/found
  done
  builtin compadd "$@"
}
answer() {
  zle list-choices
  print END >>$work/found
  cat $work/found >$work/answer
}
zle -N answer
bindkey '^I' answer
END
zpty shell "zsh -f -i"
zpty -w shell "source ${(q)work}/rc; print ready >${(q)work}/answer"
exec 3<>$work/answer
read -t 20 -u 3 answer && [[ $answer == ready ]] || exit 1
zpty -w -n shell "$line"$'\t'
while IFS= read -t 20 -r -u 3 answer; do
  if [[ $answer == END ]]; then
    zpty -d shell
    exit 0
  fi
  print -r -- $answer
done
exit 1
