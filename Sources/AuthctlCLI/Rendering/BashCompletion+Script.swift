extension BashCompletion {
  /// The functions that offer things of one kind; `NAME` stands for the program's.
  static let offers = #"""
    # Prints the names of the profiles that have a file.
    _NAME_profiles() {
      local file
      for file in "${XDG_CONFIG_HOME:-$HOME/.config}"/NAME/profiles/*.toml; do
        [[ -e $file ]] || continue
        file=${file##*/}
        printf '%s\n' "${file%.toml}"
      done
    }

    # Offers those of the lines on standard input that begin as the first argument does.
    _NAME_offer() {
      local line
      while IFS= read -r line; do
        if [[ $line == "$1"* ]]; then COMPREPLY+=("$line"); fi
      done
    }

    # Offers what is of a kind and begins as the first argument does.
    _NAME_offer_kind() {
      local start=$1 at=
      shift
      case $1 in
      words) _NAME_offer "$start" < <(printf '%s\n' "${@:2}") ;;
      profile) _NAME_offer "$start" < <(_NAME_profiles) ;;
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
    """#

  /// The function that finds out what stands at the cursor; `NAME` stands for the program's, `COMMANDS` for theirs.
  static let walk = #"""
    _NAME() {
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
          if [[ $(_NAME_value "$command" "$word") ]]; then option=$word; fi
        else
          for ((letters = 1; letters < ${#word}; letters++)); do
            if [[ $(_NAME_value "$command" "-${word:letters:1}") ]]; then
              # What follows the letter in the same word is its value.
              if ((letters == ${#word} - 1)); then option=-${word:letters:1}; fi
              break
            fi
          done
        fi
      done

      if [[ $option ]]; then
        if [[ $current == = ]]; then current=; fi
        kind=$(_NAME_value "$command" "$option")
      elif [[ $current == -* && ! $ended ]]; then
        kind="words $(_NAME_options "$command")"
      elif [[ $command ]]; then
        kind=$(_NAME_operand "$command" "$count")
      else
        kind='words COMMANDS'
      fi
      read -rd '' -a words <<<"$kind"
      _NAME_offer_kind "$current" "${words[@]}"
    }
    """#
}
