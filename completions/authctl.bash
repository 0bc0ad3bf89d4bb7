# bash completion for authctl
# Made from the table of commands by make generate. Edit the table, not this file.

# Prints the options of a command.
_authctl_options() {
  case $1 in

  esac
  echo '-p --profile -q --quiet -v --verbose --non-interactive --color --errors -h --help --version'
}

# Prints what follows an option of a command: a kind, or "words" and the words; nothing for a switch.
_authctl_value() {
  case $1:$2 in
  *:-p | *:--profile) echo 'profile' ;;
  *:--color) echo 'words auto always never' ;;
  *:--errors) echo 'words text json' ;;
  esac
}

# Prints the kind of a command's operand, given how many stand before it.
_authctl_operand() {
  case $1:$2 in
  help:0) echo 'words ' ;;
  esac
}

# Prints the names of the profiles that have a file.
_authctl_profiles() {
  local file
  for file in "${XDG_CONFIG_HOME:-$HOME/.config}"/authctl/profiles/*.toml; do
    [[ -e $file ]] || continue
    file=${file##*/}
    printf '%s\n' "${file%.toml}"
  done
}

# Offers those of the lines on standard input that begin as the first argument does.
_authctl_offer() {
  local line
  while IFS= read -r line; do
    if [[ $line == "$1"* ]]; then COMPREPLY+=("$line"); fi
  done
}

# Offers what is of a kind and begins as the first argument does.
_authctl_offer_kind() {
  local start=$1 at=
  shift
  case $1 in
  words) _authctl_offer "$start" < <(printf '%s\n' "${@:2}") ;;
  profile) _authctl_offer "$start" < <(_authctl_profiles) ;;
  directory)
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$start")
    ;;
  file | at-file)
    if [[ $1 == at-file ]]; then
      [[ $start == @* ]] || return 0
      at=@
      start=${start#@}
    fi
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$start")
    COMPREPLY=("${COMPREPLY[@]/#/$at}")
    ;;
  esac
}

_authctl() {
  local word letters kind command='' option='' ended='' joined='' count=0 i words
  local current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    # bash cuts words at = and :, so that --color=auto and https://host are three words each.
    if [[ $word == [=:] ]]; then
      if [[ ! $option ]]; then joined=yes; fi
    elif [[ $joined ]]; then
      joined=
    elif [[ $option ]]; then
      option=
    elif [[ $ended || $word != -?* ]]; then
      if [[ $command ]]; then ((count += 1)); else command=$word; fi
    elif [[ $word == -- ]]; then
      ended=yes
    elif [[ $word == --* ]]; then
      if [[ $(_authctl_value "$command" "$word") ]]; then option=$word; fi
    else
      for ((letters = 1; letters < ${#word}; letters++)); do
        if [[ $(_authctl_value "$command" "-${word:letters:1}") ]]; then
          # What follows the letter in the same word is its value.
          if ((letters == ${#word} - 1)); then option=-${word:letters:1}; fi
          break
        fi
      done
    fi
  done

  if [[ $option ]]; then
    if [[ $current == = ]]; then current=; fi
    kind=$(_authctl_value "$command" "$option")
  elif [[ $current == -* && ! $ended ]]; then
    kind="words $(_authctl_options "$command")"
  elif [[ $command ]]; then
    kind=$(_authctl_operand "$command" "$count")
  else
    kind='words help'
  fi
  read -rd '' -a words <<<"$kind"
  _authctl_offer_kind "$current" "${words[@]}"
}

complete -F _authctl authctl
