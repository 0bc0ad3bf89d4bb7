/// The whole table: the program, its options for every command, and its commands.
struct Program: Sendable {
  /// The word that calls it: `authctl`.
  let name: String
  /// The version that `--version` prints.
  let version: String
  /// The day on the manual pages, as `2026-01-31`: written here, so that rendering twice gives the same bytes.
  let date: String
  /// One line in lower case without a full stop.
  let summary: String
  /// What the program is for, in ``Markup``: paragraphs.
  let description: String
  /// The options that every command has.
  let globalOptions: [Option]
  /// Those of them that `-h` shows for every command, and for the program itself.
  var leading: [Option] = [.profile, .quiet, .verbose, .help]
  /// The command line that a new user runs first; `-h` of the program ends with it. Empty: none.
  var firstStep = ""
  /// The commands, families among them, in the order in which they are listed.
  let commands: [Command]
  /// More parts of the program's manual page: `EXIT STATUS`, `ENVIRONMENT`, `FILES`.
  let sections: [Section]
  /// Pages of the manual about something other than a command.
  var references: [Reference] = []

  /// Every command by whatever words it is called, families and what is below them.
  var allCommands: [Command] { commands.flatMap { [$0] + $0.subcommands } }

  /// The options that may be given with the command: its own, then the program's.
  func options(of command: Command?) -> [Option] { (command?.options ?? []) + globalOptions }
}

/// A page of the manual that is about something other than a command: a file's form.
struct Reference: Sendable {
  /// Its name without the program's: `profile` for `authctl-profile`.
  let name: String
  /// The section of the manual: 5 for a file's form.
  let manualSection: Int
  /// One line in lower case without a full stop.
  let summary: String
  /// The commands that deal with it: `profile`, `login`.
  let commands: [String]
  /// Makes its parts, in order; the first is the description. Only who writes the page needs them: no command waits for
  /// the text to be put together.
  let sections: @Sendable () -> [Section]
}

/// A titled part of the long help and of a manual page, beyond those that every page has.
struct Section: Sendable {
  /// The title, in capitals: `EXIT STATUS`.
  let title: String
  /// The text, in ``Markup``.
  let text: String

  /// Makes a section: `Section("FILES", "- `~/.config/authctl/profiles/NAME.toml`: a profile.")`.
  init(_ title: String, _ text: String) {
    self.title = title
    self.text = text
  }
}
