/// The completion function for zsh.
struct ZshCompletion: Sendable {
  /// The table.
  let program: Program

  /// The path of the file in the source tree.
  var path: String { "completions/_\(program.name)" }

  /// The file.
  var text: String {
    let name = program.name
    return #"""
      #compdef \#(name)
      # zsh completion for \#(name)
      # Made from the table of commands by make generate. Edit the table, not this file.

      _\#(name)_commands() {
        local -a commands=(
      \#(described(program.commands))
          'help:show the help of a command'
        )
        _describe -t commands command commands
      }

      \#(program.commands.filter(\.isFamily).map(listing).joined())_\#(name)_profiles() {
        local expl
        local -a profiles=(${XDG_CONFIG_HOME:-$HOME/.config}/\#(name)/profiles/*.toml(N:t:r))
        _wanted profiles expl profile compadd -a profiles
      }

      _\#(name)_at_file() {
        if compset -P @; then _files; else _message 'text, or @ and a file'; fi
      }

      _\#(name)() {
        local curcontext=$curcontext state line ret=1
        local -A opt_args
        local -a globals=(
      \#(specifications(program.globalOptions, indent: 4))
        )
        _arguments -C -s -S -A '-*' $globals ': :_\#(name)_commands' '*:: :->arguments' && ret=0
        [[ $state == arguments ]] || return ret
        curcontext=${curcontext%:*}-$words[1]:
        case $words[1] in
      \#(program.commands.map(branch).joined(separator: "\n"))
        help)
          _arguments -C -s -S $globals '1: :_\#(name)_commands' '*:: :->topic' && ret=0
          case $state:$words[1] in
      \#(program.commands.filter(\.isFamily).map(topic).joined(separator: "\n"))
          esac
          ;;
        esac
        return ret
      }

      # Loaded by compinit it is the function itself; read by a start-up file it makes itself known.
      if (( $+compstate )); then _\#(name) "$@"; else compdef _\#(name) \#(name); fi

      """#
  }

  private func described(_ commands: [Command]) -> String {
    commands.map { "    " + Self.quoted($0.word + ":" + Self.escaped($0.summary)) }.joined(separator: "\n")
  }

  /// Returns the function that lists the commands of a family.
  private func listing(_ family: Command) -> String {
    """
    _\(program.name)_\(family.name)_commands() {
      local -a commands=(
    \(described(family.subcommands))
      )
      _describe -t commands '\(family.name) command' commands
    }


    """
  }

  private func topic(_ family: Command) -> String {
    "      topic:\(family.name)) _arguments -s -S $globals '1: :_\(program.name)_\(family.name)_commands' && ret=0 ;;"
  }

  private func branch(_ command: Command) -> String {
    guard !command.isFamily else { return familyBranch(command) }
    var lines = ["  \(command.word))", "    local -a own=("]
    if !command.options.isEmpty { lines.append(specifications(command.options, indent: 6)) }
    for (index, operand) in command.operands.enumerated() {
      let place = operand.repeats ? "*" : "\(index + 1)"
      let colon = operand.optional && !operand.repeats ? "::" : ":"
      lines.append(
        "      " + Self.quoted(place + colon + Self.escaped(operand.placeholder) + ":" + action(operand.completion)))
    }
    lines += ["    )", "    _arguments -s -S $globals $own && ret=0", "    ;;"]
    return lines.joined(separator: "\n")
  }

  private func familyBranch(_ family: Command) -> String {
    """
      \(family.name))
        state=
        _arguments -C -s -S -A '-*' $globals ': :_\(program.name)_\(family.name)_commands' '*:: :->below' && ret=0
        [[ $state == below ]] || return ret
        curcontext=${curcontext%:*}-$words[1]:
        case $words[1] in
    \(family.subcommands.map(branch).joined(separator: "\n"))
        esac
        ;;
    """
  }

  private func specifications(_ options: [Option], indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return options.flatMap(specifications).map { margin + Self.quoted($0) }.joined(separator: "\n")
  }

  /// Returns one specification per name, each of which excludes the others unless the option may be repeated.
  private func specifications(_ option: Option) -> [String] {
    let excluded = option.repeats ? "*" : "(\(option.names.joined(separator: " ")))"
    return option.names.map { name in
      let text = excluded + name
      let summary = "[\(Self.escaped(option.summary))]"
      guard let value = option.value else { return text + summary }
      let mark = name.hasPrefix("--") ? "=" : "+"
      let choices = value.choices.isEmpty ? action(value.completion) : "(\(value.choices.joined(separator: " ")))"
      return text + mark + summary + ":" + Self.escaped(value.placeholder) + ":" + choices
    }
  }

  private func action(_ completion: Completion) -> String {
    switch completion {
    case .none: " "
    case .file: "_files"
    case .directory: "_files -/"
    case .atFile: "_\(program.name)_at_file"
    case .program: "_command_names -e"
    case .profile: "_\(program.name)_profiles"
    }
  }

  /// Returns the text with the characters escaped that separate the parts of a specification.
  private static func escaped(_ text: String) -> String {
    text.map { "\\:[]".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
