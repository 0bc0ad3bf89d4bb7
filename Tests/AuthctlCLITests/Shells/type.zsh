# Types keys into an interactive bash on a pseudo-terminal and prints the arguments that the command then gets, one a
# line: type.zsh DIRECTORY KEYS
zmodload zsh/zpty || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf $work' EXIT
mkfifo $work/answer || exit 1
cat >$work/rc <<END
PS1=
authctl() { printf '%s\n' "\$@" END >${(q)work}/answer; }
alias authctl='authctl --quiet'
source ${(q)1}/authctl.bash
unalias authctl
END
export INPUTRC=/dev/null
zpty shell "bash --rcfile ${(q)work}/rc -i"
zpty -w shell "echo ready >${(q)work}/answer"
exec 3<>$work/answer
read -t 20 -u 3 answer && [[ $answer == ready ]] || exit 1
zpty -w shell "$2"
while IFS= read -t 20 -r -u 3 answer; do
  if [[ $answer == END ]]; then
    zpty -d shell
    exit 0
  fi
  print -r -- $answer
done
exit 1
