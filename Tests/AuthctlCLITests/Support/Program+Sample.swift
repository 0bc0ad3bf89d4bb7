@testable import AuthctlCLI

extension Program {
  /// A table with one of everything, for tests of what is done with a table.
  static let sample = Program(
    name: "authctl", version: "1.2.3", date: "2026-01-31", summary: "a table for tests",
    globalOptions: [.profile, .quiet, .verbose, .nonInteractive, .color, .errors, .help, .version],
    commands: [.sampleCall, .sampleLogout, .sampleStatus, .sampleKeyring],
    manual: { Manual(sampleManual) },
    references: [
      Reference(
        name: "keyring", manualSection: 5, summary: "what a keyring is",
        commands: ["keyring"], manual: { Manual("It _keeps_ `secrets`.") })
    ])

  private static let sampleManual = """
    What `authctl` is for.

    .starts with a dot, and 'quotes' \\ backslashes, "double" ones, `--long-name`, access_token and _NAME_.

        literal  --line 'a' \\n

    # EXIT STATUS

    What comes next:

    - `0`: all went well
    - `22`: the API returned 400 or more

    # NOTES

    - one
    - two, which goes on
      in the next line
    """
}

extension Command {
  /// Options with and without letters and values, and one operand that must be there.
  static let sampleCall = Command(
    name: "call", summary: "send one request [with the token]: it's done", operands: [Operand("URL|PATH")],
    manual: Manual(
      """
      Sends one request.

      # --data

      With `@`, a file's bytes.

      - `a`: one
      - `b`: two

      And more.

      # EXAMPLES

      Sends _a_
      to `me`.

          authctl call -X POST -d 'a=b' me
      """), options: [.request, .data, .output, .include, .sampleSilent, .sampleJSON, .capath]
  )

  /// Any number of operands that are profiles.
  static let sampleLogout = Command(
    name: "logout", summary: "revoke and forget the tokens",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    manual: Manual("Forgets.\n\n# EXAMPLES\n\nLogs out of `work`.\n\n    authctl logout work\n"),
    options: [
      Option("all", summary: "log out of every profile"), Option("local-only", summary: "don't ask the server"),
    ]
  )

  /// A switch whose name another command has with a value.
  static let sampleStatus = Command(
    name: "status", summary: "tell who is logged in",
    operands: [Operand("PROFILE", optional: true, completion: .profile)],
    manual: Manual("Tells.\n\n# EXAMPLES\n\nTells all.\n\n    authctl status\n"),
    options: [Option("json", summary: "print JSON")]
  )
}

extension Command {
  /// Two commands under one word: one with the name of another command's, one with an operand and an option of its own.
  static let sampleKeyring = Command(
    family: "keyring", summary: "look at the keyring: it's [locked]",
    manual: Manual("About the keyring.\n\n# NOTES\n\nNoted."),
    subcommands: [
      Command(
        name: "keyring status", summary: "tell whether it is locked",
        manual: Manual("Tells.\n\n# EXAMPLES\n\nTells.\n\n    authctl keyring status\n"),
        options: [Option("json", summary: "print JSON")]
      ),
      Command(
        name: "keyring erase", summary: "it's [all] gone",
        operands: [Operand("PROFILE", optional: true, completion: .profile)],
        manual: Manual("Erases.\n\n# EXAMPLES\n\nErases.\n\n    authctl keyring erase work\n"),
        options: [Option("force", summary: "don't ask"), .output]
      ),
    ])
}

extension Option {
  static let sampleSilent = Option("silent", short: "s", summary: "no progress")
  static let request = Option("request", short: "X", .text("METHOD"), summary: "use this method")
  static let data = Option(
    "data", short: "d", .textOrAtFile("DATA"), repeats: true, summary: "send this")
  static let output = Option("output", short: "o", .file("FILE"), summary: "write to a file: it's [quoted] \\ escaped")
  static let include = Option("include", short: "i", summary: "print the headers")
  static let sampleJSON = Option("json", .text("DATA"), summary: "send this as JSON")
  static let capath = Option("capath", .directory("DIR"), summary: "trust what is in there")
}
