# Prints what bash offers at the end of a line: complete.bash DIRECTORY LINE
source "$1/authctl.bash"
# As readline does, words are cut at = and : too; quotes don't occur in the tests.
read -ra words <<<"$(sed -e 's/\([=:]\)/ \1 /g' <<<"$2")"
if [[ $2 == *' ' || $2 == *= ]]; then
  if [[ $2 == *' ' ]]; then words+=(''); fi
fi
COMP_WORDS=("${words[@]}")
COMP_CWORD=$((${#words[@]} - 1))
COMP_LINE=$2
COMP_POINT=${#2}
[[ $(complete -p authctl) == 'complete -F _authctl authctl' ]] || exit 1
_authctl authctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
for word in "${COMPREPLY[@]}"; do
  # With "-o filenames" it is readline that marks directories.
  if [[ -d $word ]]; then word+=/; fi
  printf '%s\n' "$word"
done
