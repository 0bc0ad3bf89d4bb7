/// The table of the program: its global options and its commands.
struct Program: Sendable {
  /// The word that runs it: `authctl`.
  let name: String
  /// The version that `--version` prints.
  let version: String
  /// The version of authctl.
  static let currentVersion = "0.1.0"
  /// The date on the manual pages, as `2026-01-31`: a constant, so that rendering twice gives the same bytes.
  let date: String
  /// One line in lower case without a full stop.
  let summary: String
  /// The options that every command has.
  let globalOptions: [Option]
  /// The global options that `-h` shows for every command, and for the program itself.
  var leading: [Option] = [.profile, .quiet, .verbose, .help]
  /// The command line that a new user runs first, shown at the end of the program's `-h`; empty for none.
  var firstStep = ""
  /// The commands, including families, in the order in which they are listed.
  let commands: [Command]
  /// Reads the prose of its help and its manual page, and that of options which several commands have.
  let manual: @Sendable () -> Manual
  /// Pages of the manual about something other than a command.
  var references: [Reference] = []

  /// All commands: families and their subcommands.
  var allCommands: [Command] { commands.flatMap { [$0] + $0.subcommands } }

  /// Returns the prose of a command's page, or of the program's own.
  func manual(of command: Command?) -> Manual { command?.manual ?? manual() }

  /// Returns the explanations of a command's options beyond their summaries, in ``Markup``, by their long names.
  func explanations(for command: Command?) -> [String: String] {
    manual().explanations.merging(command?.manual.explanations ?? [:]) { $1 }
  }

  /// Returns the options that may be given with the command: its own, then the program's.
  func options(of command: Command?) -> [Option] { (command?.options ?? []) + globalOptions }
}

/// A page of the manual about something other than a command, such as a file format.
struct Reference: Sendable {
  /// The page's name without the program's: `profile` for `authctl-profile`.
  let name: String
  /// The section of the manual: 5 for a file format.
  let manualSection: Int
  /// One line in lower case without a full stop.
  let summary: String
  /// The related commands: `profile`, `login`.
  let commands: [String]
  /// Reads the page's prose.
  let manual: @Sendable () -> Manual

  /// Returns the page's sections, in order; the first is the description.
  func sections() -> [Section] {
    let manual = manual()
    return [Section("DESCRIPTION", manual.description)] + manual.parts
  }
}
