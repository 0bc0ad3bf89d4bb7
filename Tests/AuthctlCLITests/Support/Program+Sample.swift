@testable import AuthctlCLI

extension Program {
  /// A table with one of everything, for tests of what is done with a table.
  static let sample = Program(
    name: "authctl", version: "1.2.3", date: "2026-01-31", summary: "a table for tests",
    description: """
      What `authctl` is for.

      .starts with a dot, and 'quotes' \\ backslashes, "double" ones, `--long-name`, access_token and _NAME_.

          literal  --line 'a' \\n
      """,
    globalOptions: [.profile, .quiet, .verbose, .nonInteractive, .color, .errors, .help, .version],
    commands: [.sampleCall, .sampleLogout, .sampleStatus, .sampleKeyring],
    sections: [
      Section("EXIT STATUS", "What comes next:\n\n- `0`: all went well\n- `22`: the API returned 400 or more"),
      Section("NOTES", "- one\n- two, which goes on\n  in the next line"),
    ],
    references: [
      Reference(
        name: "keyring", manualSection: 5, summary: "what a keyring is",
        commands: ["keyring"], sections: { [Section("DESCRIPTION", "It _keeps_ `secrets`.")] })
    ])
}

extension Command {
  /// Options with and without letters and values, and one operand that must be there.
  static let sampleCall = Command(
    name: "call", summary: "send one request [with the token]: it's done", operands: [Operand("URL|PATH")],
    description: "Sends one request.",
    options: [.request, .data, .output, .include, .sampleSilent, .sampleJSON, .capath],
    examples: [Example("authctl call -X POST -d 'a=b' me", "Sends _a_ to `me`.")]
  )

  /// Any number of operands that are profiles.
  static let sampleLogout = Command(
    name: "logout", summary: "revoke and forget the tokens",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    description: "Forgets.",
    options: [
      Option("all", summary: "log out of every profile"), Option("local-only", summary: "don't ask the server"),
    ],
    examples: [Example("authctl logout work", "Logs out of `work`.")]
  )

  /// A switch whose name another command has with a value.
  static let sampleStatus = Command(
    name: "status", summary: "tell who is logged in",
    operands: [Operand("PROFILE", optional: true, completion: .profile)],
    description: "Tells.", options: [Option("json", summary: "print JSON")],
    examples: [Example("authctl status", "Tells all.")]
  )
}

extension Command {
  /// Two commands under one word: one with the name of another command's, one with an operand and an option of its own.
  static let sampleKeyring = Command(
    family: "keyring", summary: "look at the keyring: it's [locked]", description: "About the keyring.",
    subcommands: [
      Command(
        name: "keyring status", summary: "tell whether it is locked", description: "Tells.",
        options: [Option("json", summary: "print JSON")],
        examples: [Example("authctl keyring status", "Tells.")]
      ),
      Command(
        name: "keyring erase", summary: "it's [all] gone",
        operands: [Operand("PROFILE", optional: true, completion: .profile)], description: "Erases.",
        options: [Option("force", summary: "don't ask"), .output],
        examples: [Example("authctl keyring erase work", "Erases.")]
      ),
    ], sections: [Section("NOTES", "Noted.")])
}

extension Option {
  static let sampleSilent = Option("silent", short: "s", summary: "no progress")
  static let request = Option("request", short: "X", .text("METHOD"), summary: "use this method")
  static let data = Option(
    "data", short: "d", .textOrAtFile("DATA"), repeats: true, summary: "send this",
    detail: "With `@`, a file's bytes.\n\n- `a`: one\n- `b`: two\n\nAnd more.")
  static let output = Option("output", short: "o", .file("FILE"), summary: "write to a file: it's [quoted] \\ escaped")
  static let include = Option("include", short: "i", summary: "print the headers")
  static let sampleJSON = Option("json", .text("DATA"), summary: "send this as JSON")
  static let capath = Option("capath", .directory("DIR"), summary: "trust what is in there")
}
