extension Program {
  /// The table of authctl.
  static let authctl = Program(
    name: "authctl", version: "0.1.0", date: "2026-11-21",
    summary: "log in once, call protected APIs ever after",
    description: """
      `authctl` gets OAuth tokens, keeps them in the desktop's keyring, and sends them with requests. It renews them \
      before they expire or when an API refuses them, one process for all, so that neither a person nor a script has \
      to think of them again.

      Data goes to standard output, everything else to standard error. Only `login` asks questions or opens a browser.
      """,
    globalOptions: [.profile, .quiet, .verbose, .nonInteractive, .color, .errors, .help, .version],
    commands: [], sections: [])
}
