extension Option {
  /// `-p, --profile NAME`
  static let profile = Option("profile", short: "p", .profile("NAME"), summary: "use this profile")

  /// `-q, --quiet`
  static let quiet = Option("quiet", short: "q", summary: "print errors only")

  /// `-v, --verbose`
  static let verbose = Option("verbose", short: "v", summary: "log each step to standard error")

  /// `--non-interactive`
  static let nonInteractive = Option("non-interactive", summary: "never prompt, fail instead")

  /// `--color WHEN`
  static let color = Option("color", .choice("WHEN", ["auto", "always", "never"]), summary: "colour messages and help")

  /// `--errors FORMAT`
  static let errors = Option(
    "errors", .choice("FORMAT", ["text", "json"]), summary: "report errors as text or as JSON")

  /// `-h, --help`
  static let help = Option(
    "help", short: "h", summary: "show help: -h for a summary, --help for all")

  /// `--version`
  static let version = Option("version", summary: "print the version")

  /// `-s, --silent` of `call`
  static let silent = Option("silent", short: "s", summary: "print no transfer errors and no progress")

  /// `-S, --show-error` of `call`
  static let showError = Option("show-error", short: "S", summary: "with -s, print error messages")
}

extension Option {
  /// `--json` of the commands that print profile data
  static let json = Option("json", summary: "print JSON, errors included")
}
