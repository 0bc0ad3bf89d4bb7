extension BashCompletion {
  /// The functions that print suggestions of one kind. `NAME` is replaced with the program's name.
  static let offers = #"""
    # Prints the names of the profiles that have a file.
    _NAME_profiles() {
      local file
      for file in "${XDG_CONFIG_HOME:-$HOME/.config}"/NAME/profiles/*.toml; do
        file=${file##*/}
        file=${file%.toml}
        # Only what can be a profile, and so needs no quotes.
        if [[ $file =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]]; then printf '%s\n' "$file"; fi
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
      program) mapfile -t COMPREPLY < <(compgen -c -- "$start") ;;
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

  /// The functions that find out which argument is at the cursor.
  ///
  /// `NAME` is replaced with the program's name, `COMMANDS` with the commands' names, and `FAMILIES` with the words
  /// after which another word belongs to the command's name.
  static let walk = #"""
    # Puts the words up to the cursor into the array "words", whole: bash cuts them at = : and @ as well as at blanks.
    _NAME_words() {
      local part line=${COMP_LINE:0:COMP_POINT}
      words=()
      for part in "${COMP_WORDS[@]:0:COMP_CWORD}"; do
        if [[ ${#words[@]} == 0 || $line == [[:blank:]]* ]]; then words+=(''); fi
        line=${line#"${line%%[![:blank:]]*}"}
        line=${line#"$part"}
        words[-1]+=$part
      done
      if [[ $line == [[:blank:]]* ]]; then words+=(''); fi
      words[-1]+=${line#"${line%%[![:blank:]]*}"}
    }

    # Finds in a word such as -sofile the first letter that has a value: sets "option" to -o and "attached" to file.
    _NAME_cluster() {
      local i
      for ((i = 1; i < ${#2}; i++)); do
        if [[ $(_NAME_value "$1" "-${2:i:1}") ]]; then
          option=-${2:i:1}
          attached=${2:i+1}
          return
        fi
      done
    }

    _NAME() {
      local words word current command='' option='' attached='' ended='' count=0 kind before='' breaks='' kept i
      _NAME_words
      current=${words[-1]}
      for word in "${words[@]:1:${#words[@]}-2}"; do
        if [[ $option ]]; then
          option=
        elif [[ $ended || $word != -?* ]]; then
          if [[ $command && '|FAMILIES|' == *"|$command|"* ]]; then
            command+=" $word"
          elif [[ $command ]]; then
            ((count += 1))
          else
            command=$word
          fi
        elif [[ $word == -- ]]; then
          ended=yes
        elif [[ $word == --* ]]; then
          if [[ $(_NAME_value "$command" "$word") ]]; then option=$word; fi
        else
          _NAME_cluster "$command" "$word"
          if [[ $attached ]]; then option='' attached=''; fi
        fi
      done

      if [[ ! $option && ! $ended ]]; then
        if [[ $current == --*=* ]]; then
          option=${current%%=*}
          before=$option=
        elif [[ $current == -[!-]?* ]]; then
          _NAME_cluster "$command" "$current"
          if [[ $option ]]; then before=${current%"$attached"}; fi
        fi
      fi
      if [[ $option ]]; then
        kind=$(_NAME_value "$command" "$option")
      elif [[ $current == -* && ! $ended ]]; then
        kind="words $(_NAME_options "$command")"
      elif [[ $command ]]; then
        kind=$(_NAME_operand "$command" "$count")
      else
        kind='words COMMANDS'
      fi
      COMPREPLY=()
      read -rd '' -a words <<<"$kind"
      _NAME_offer_kind "${current#"$before"}" "${words[@]}"

      # bash replaces only what stands behind the last = or :, or from the last @ on, if it cuts words at these.
      for i in = : @; do
        if [[ $COMP_WORDBREAKS == *"$i"* ]]; then breaks+=$i; fi
      done
      kept=${current%"${current##*["${breaks:- }"]}"}
      COMPREPLY=("${COMPREPLY[@]/#/"$before"}")
      COMPREPLY=("${COMPREPLY[@]#"${kept%@}"}")
    }
    """#
}
