/// The completion script for bash; it requires only bash 4.4.
struct BashCompletion: Sendable {
  /// The table.
  let program: Program

  /// The path of the script in the source tree.
  var path: String { "completions/\(program.name).bash" }

  /// The script.
  var text: String {
    let name = program.name
    return #"""
      # bash completion for \#(name)
      # Made from the table of commands by make generate. Edit the table, not this file.

      # Prints the options of a command.
      _\#(name)_options() {
        case $1 in
      \#(leaves.map(options).joined(separator: "\n"))
        esac
        echo '\#(names(of: program.globalOptions))'
      }

      # Prints what follows an option of a command: a kind, or "words" and the words; nothing for a switch.
      _\#(name)_value() {
        case $1:$2 in
      \#(values.joined(separator: "\n"))
        esac
      }

      # Prints the kind of a command's operand, given how many stand before it.
      _\#(name)_operand() {
        case $1:$2 in
      \#(operands.joined(separator: "\n"))
        esac
      }

      \#(Self.offers.replacing("NAME", with: name))

      \#(walk)

      complete -F _\#(name) \#(name)

      """#
  }

  private var walk: String {
    let families = ["help"] + program.commands.filter(\.isFamily).map(\.name)
    return Self.walk.replacing("NAME", with: program.name).replacing("COMMANDS", with: words(program.commands, "help"))
      .replacing("FAMILIES", with: families.joined(separator: "|"))
  }

  private var leaves: [Command] { program.allCommands.filter { !$0.isFamily } }

  private func words(_ commands: [Command], _ more: String...) -> String {
    (commands.map(\.word) + more).joined(separator: " ")
  }

  private func options(of command: Command) -> String {
    "  \(pattern(command))) echo '\(names(of: command.options))' ;;"
  }

  /// Returns the name of a command, quoted if it has more than one word.
  private func pattern(_ command: Command) -> String { command.words.count > 1 ? "'\(command.name)'" : command.name }

  private func names(of options: [Option]) -> String { options.flatMap(\.names).joined(separator: " ") }

  private var values: [String] {
    let own = leaves.flatMap { command in
      command.options.compactMap { value(of: $0, pattern: pattern(command)) }
    }
    return own + program.globalOptions.compactMap { value(of: $0, pattern: "*") }
  }

  private func value(of option: Option, pattern: String) -> String? {
    guard let value = option.value else { return nil }
    let patterns = option.names.map { "\(pattern):\($0)" }.joined(separator: " | ")
    let kind = value.choices.isEmpty ? kind(value.completion) : "words " + value.choices.joined(separator: " ")
    return "  \(patterns)) echo '\(kind)' ;;"
  }

  private var operands: [String] {
    let families = program.commands.filter(\.isFamily).map { family in
      "  \(family.name):0 | 'help \(family.name)':0) echo 'words \(words(family.subcommands))' ;;"
    }
    return leaves.flatMap { command in
      command.operands.enumerated().map { index, operand in
        "  \(pattern(command)):\(operand.repeats ? "*" : "\(index)")) echo '\(kind(operand.completion))' ;;"
      }
    } + families + ["  help:0) echo 'words \(words(program.commands))' ;;"]
  }

  private func kind(_ completion: Completion) -> String {
    switch completion {
    case .none: "none"
    case .file: "file"
    case .directory: "directory"
    case .atFile: "at-file"
    case .program: "program"
    case .profile: "profile"
    }
  }
}
