/// The completion script for fish.
struct FishCompletion: Sendable {
  /// The table.
  let program: Program

  /// The path of the script in the source tree.
  var path: String { "completions/\(program.name).fish" }

  /// The script.
  var text: String {
    let parts = [
      functions, "complete -c \(program.name) -f", lines(program.globalOptions, condition: nil).joined(separator: "\n"),
      commands, program.allCommands.map(ofCommand).filter { !$0.isEmpty }.joined(separator: "\n\n"),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private var functions: String {
    let name = program.name
    return #"""
      # fish completion for \#(name)
      # Made from the table of commands by make generate. Edit the table, not this file.

      # Prints the command on the line, as far as it stands before the cursor.
      function __\#(name)_command
          set -l value
          set -l words
          for token in (commandline -opc)[2..]
              if set -q value[1]
                  set -e value[1]
              else if string match -qr -- '^(\#(valued))$' $token
                  set value follows
              else if not string match -q -- '-*' $token
                  set -a words $token
                  contains -- "$words" \#(families)
                  or break
              end
          end
          echo "$words"
      end

      # Tells whether the command on the line is the one given; '' is for none.
      function __\#(name)_at
          test "$(__\#(name)_command)" = "$argv"
      end

      # Prints the names of the profiles that have a file.
      function __\#(name)_profiles
          set -l config $HOME/.config
          test -n "$XDG_CONFIG_HOME"; and set config $XDG_CONFIG_HOME
          for file in $config/\#(name)/profiles/*.toml
              path basename $file | path change-extension ''
          end
      end

      # Prints the files that begin as the word at the cursor does after its @, each with what stands before it.
      function __\#(name)_at_file
          set -l word (commandline -ct | string match -r -- '^(?:--[^=]*=|-[^-@]+)?@(.*)$')
          or return
          for file in (__fish_complete_path $word[2])
              echo @$file
          end
      end
      """#
  }

  /// A pattern for words before the command that are followed by a value: options of the program, clusters included.
  private var valued: String {
    let waiting = program.globalOptions.filter { $0.value != nil }
    let switches = program.globalOptions.filter { $0.value == nil }.compactMap(\.short).map(String.init).joined()
    let letters = waiting.compactMap(\.short).map(String.init).joined()
    return "--(?:\(waiting.map(\.long).joined(separator: "|")))|-[\(switches)]*[\(letters)]"
  }

  /// The words after which another word belongs to the command's name.
  private var families: String { (["help"] + program.commands.filter(\.isFamily).map(\.name)).joined(separator: " ") }

  private var commands: String {
    let own = program.commands.map { word($0.name, $0.summary, condition: "__\(program.name)_at ''") }
    let help = word("help", "show the help of a command", condition: "__\(program.name)_at ''")
    let topics = program.commands.map { word($0.name, $0.summary, condition: "__\(program.name)_at help") }
    let below = program.commands.flatMap { family in
      ["", "help "].flatMap { before in
        family.subcommands.map {
          word($0.word, $0.summary, condition: "__\(program.name)_at \(before)\(family.name)")
        }
      }
    }
    return (own + [help] + topics + below).joined(separator: "\n")
  }

  private func word(_ word: String, _ summary: String, condition: String) -> String {
    "complete -c \(program.name) -n \(Self.quoted(condition)) -a \(word) -d \(Self.quoted(summary))"
  }

  private func ofCommand(_ command: Command) -> String {
    let condition = "__\(program.name)_at \(command.name)"
    let operands = command.operands.compactMap { operand -> String? in
      guard operand.completion != .none else { return nil }
      return "complete -c \(program.name) -n \(Self.quoted(condition))" + arguments(operand.completion, isOption: false)
    }
    return (lines(command.options, condition: condition) + operands).joined(separator: "\n")
  }

  private func lines(_ options: [Option], condition: String?) -> [String] {
    options.map { option in
      var line = "complete -c \(program.name)"
      if let condition { line += " -n \(Self.quoted(condition))" }
      // An unquoted # would begin a comment.
      if let short = option.short { line += " -s " + (short.isLetter || short.isNumber ? "\(short)" : "'\(short)'") }
      line += " -l \(option.long)"
      if let value = option.value {
        let choices = value.choices.joined(separator: " ")
        line += value.choices.isEmpty ? arguments(value.completion, isOption: true) : " -x -a '\(choices)'"
      }
      return line + " -d \(Self.quoted(option.summary))"
    }
  }

  private func arguments(_ completion: Completion, isOption: Bool) -> String {
    let exclusive = isOption ? " -x" : ""
    return switch completion {
    case .none: exclusive
    case .file: isOption ? " -r -F" : " -F"
    case .directory: exclusive + " -a '(__fish_complete_directories (commandline -ct) \"\")'"
    case .atFile: exclusive + " -a '(__\(program.name)_at_file)'"
    case .program: exclusive + " -a '(complete -C (commandline -ct))'"
    case .profile: exclusive + " -a '(__\(program.name)_profiles)'"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
