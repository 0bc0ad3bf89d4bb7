/// A command and what it does.
struct RunnableCommand: Sendable {
  /// Runs one command line.
  typealias Run = @Sendable (Invocation, Context) async throws -> ExitStatus

  /// The command as the parser and the help know it.
  let command: Command
  /// The commands of a family; empty for every other command.
  let subcommands: [RunnableCommand]
  /// Runs the command.
  let run: Run

  /// Adds to a command what it does.
  init(_ command: Command, run: @escaping Run) {
    self.command = command
    self.run = run
    subcommands = []
  }

  /// Creates a family from its commands. Without the name of one of them it prints its short help on standard error,
  /// which is a usage error.
  init(
    family name: String, summary: String, description: String, subcommands: [RunnableCommand], sections: [Section] = []
  ) {
    command = Command(
      family: name, summary: summary, description: description, subcommands: subcommands.map(\.command),
      sections: sections)
    self.subcommands = subcommands
    run = { invocation, context in
      let help = ShortHelp(program: .authctl, command: invocation.command, name: context.program)
      context.console.note(help.text(width: context.console.width, colour: false))
      return .usage
    }
  }

  /// All commands in the order of the help.
  static let all: [RunnableCommand] = [.login, .call, .refresh, .logout, .status, .token, .exec, .profile]

  /// What runs a command by its name; nil if no command has that name.
  static func named(_ name: String) -> RunnableCommand? {
    (all + all.flatMap(\.subcommands)).first { $0.command.name == name }
  }
}
