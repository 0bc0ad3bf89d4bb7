extension RunnableCommand {
  /// Creates a family from its commands. Without the name of one of them it prints its short help on standard error,
  /// which is a usage error.
  init(
    family name: String, summary: String, manual: @autoclosure @escaping @Sendable () -> Manual,
    subcommands: [RunnableCommand]
  ) {
    self.init(
      command: Command(family: name, summary: summary, manual: manual(), subcommands: subcommands.map(\.command)),
      subcommands: subcommands
    ) { invocation, context in
      let help = ShortHelp(program: .authctl, command: invocation.command, name: context.program)
      context.console.note(help.text(width: context.console.width, colour: false))
      return .usage
    }
  }

  static let profile = RunnableCommand(
    family: "profile", summary: "manage profiles", manual: Manual(PackageResources.profile_md),
    subcommands: [
      .profileList, .profileShow, .profileNew, .profileEdit, .profileRemove, .profilePath, .profileNewKey,
      .profileClientMetadata,
    ])

  /// All commands in the order of the help.
  static let all: [RunnableCommand] = [
    .login, .call, .refresh, .logout, .status, .inspect, .doctor, .token, .exec, .proxy, .credential, .profile,
    .keyring,
  ]

  /// Returns the command with a name; nil if no command has that name.
  static func named(_ name: String) -> RunnableCommand? {
    (all + all.flatMap(\.subcommands)).first { $0.command.name == name }
  }
}
