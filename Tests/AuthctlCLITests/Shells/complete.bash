# Prints what bash offers at the end of a line: complete.bash DIRECTORY LINE NAME
source "$1/$3.bash"
# As readline does, words are cut at = too. (type.zsh has readline itself do it, with all that it cuts at.)
COMP_WORDBREAKS=$' \t\n"\'><=;|&('
read -ra words <<<"${2//=/ = }"
if [[ $2 == *' ' ]]; then words+=(''); fi
COMP_WORDS=("${words[@]}")
COMP_CWORD=$((${#words[@]} - 1))
COMP_LINE=$2
COMP_POINT=${#2}
[[ $(complete -p "$3") == "complete -F _authctl_complete $3" ]] || exit 1
# No readline waits for its options.
compopt() { :; }
# What readline replaces begins after the =.
_authctl_complete "$3" "${COMP_WORDS[COMP_CWORD]#=}" "${COMP_WORDS[COMP_CWORD - 1]}"
for word in "${COMPREPLY[@]}"; do
  # With "-o filenames" it is readline that marks directories.
  if [[ -d $word ]]; then word+=/; fi
  printf '%s\n' "$word"
done
