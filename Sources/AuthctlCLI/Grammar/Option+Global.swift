extension Option {
  /// `-p, --profile NAME`
  static let profile = Option(
    "profile", short: "p", .profile("NAME"), summary: "use this profile",
    detail: """
      Without it: the profile of `AUTHCTL_PROFILE`; for `call`, the one whose API holds the URL; the one named \
      `default`; or the only one there is. If that leaves more than one, `authctl` names them and stops.
      """)

  /// `-q, --quiet`
  static let quiet = Option(
    "quiet", short: "q", summary: "print errors only",
    detail: "Keeps notes and warnings off standard error. Data on standard output and errors stay.")

  /// `-v, --verbose`
  static let verbose = Option(
    "verbose", short: "v", summary: "log each step to standard error",
    detail:
      "`-vv` adds libcurl's own notes on its connections. Secrets are never shown: where two tokens must be told apart, a short fingerprint stands for each."
  )

  /// `--non-interactive`
  static let nonInteractive = Option(
    "non-interactive", summary: "never ask anything, fail instead",
    detail: "Also in force when standard input isn't a terminal.")

  /// `--color WHEN`
  static let color = Option(
    "color", .choice("WHEN", ["auto", "always", "never"]), summary: "colour messages and help",
    detail: "With `auto`, the default, only on a terminal, and only if `NO_COLOR` is unset or empty.")

  /// `--errors FORMAT`
  static let errors = Option(
    "errors", .choice("FORMAT", ["text", "json"]), summary: "write errors as text or as JSON",
    detail: """
      With `json`, each line on standard error is one JSON object. An error has the members `code`, `exit`, `message` \
      and `hint` in the member `error`, and `profile` once it is known which; a warning is the text of the member \
      `warning`, a note that of `note`. `AUTHCTL_ERRORS` sets the default.
      """)

  /// `-h, --help`
  static let help = Option(
    "help", short: "h", summary: "show help: -h in short, --help in full")

  /// `--version`
  static let version = Option("version", summary: "print the version")
}
