extension Option {
  /// `-p, --profile NAME`
  static let profile = Option(
    "profile", short: "p", .profile("NAME"), summary: "use this profile",
    detail: """
      Unless given: the profile of `AUTHCTL_PROFILE`; for `call`, the one whose `api` has the URL's origin; the one \
      with `default = true`; or the only one. If more than one is left, the error names them.
      """)

  /// `-q, --quiet`
  static let quiet = Option(
    "quiet", short: "q", summary: "print errors only",
    detail: "Suppresses notes and warnings. Errors and the data on standard output remain.")

  /// `-v, --verbose`
  static let verbose = Option(
    "verbose", short: "v", summary: "log each step to standard error",
    detail: """
      The log shows the profile and the token in use, with the reason; whether, why and by which process the token is \
      refreshed; the proxy, or why none is used; the redirect URI and the code challenge of a login in the browser; \
      the header lines of each request and response; and the fields that are sent to the authorization server and \
      returned by it. Of a server with requests of its own, the values that `[response]` names as lifetime, success, \
      error code, message or subject are shown, others by their lengths. Steps of a background refresh begin with \
      `background:`, header lines of a batch with the line number in the input, as in `#3`, and those of requests \
      that are sent at the same time to find a server with the numbers `#1` and `#2`.

      The value of a `-H` line is shown only if its name is known to be harmless; of others, the length is.

      `-vv` adds libcurl's notes on its connections, the values of unknown fields and members, and the header and \
      claims of each JWT. Secrets are never shown: a token appears as its type, its length and a short fingerprint, by \
      which it can be followed through the flow.
      """)

  /// `--non-interactive`
  static let nonInteractive = Option(
    "non-interactive", summary: "never prompt, fail instead",
    detail: "Implied if standard input is not a terminal.")

  /// `--color WHEN`
  static let color = Option(
    "color", .choice("WHEN", ["auto", "always", "never"]), summary: "colour messages and help",
    detail: "`auto` (the default) colours only on a terminal, and only if `NO_COLOR` is unset or empty.")

  /// `--errors FORMAT`
  static let errors = Option(
    "errors", .choice("FORMAT", ["text", "json"]), summary: "report errors as text or as JSON",
    detail: """
      With `json`, each line on standard error is one JSON object. An error is an object in the member `error`, with \
      the members `code`, `exit`, `message` and `hint`, and `profile` if it is known. A warning is the text of the \
      member `warning`, a note the text of `note`. `AUTHCTL_ERRORS` sets the default.
      """)

  /// `-h, --help`
  static let help = Option(
    "help", short: "h", summary: "show help: -h for a summary, --help for all")

  /// `--version`
  static let version = Option("version", summary: "print the version")

  /// `-s, --silent` of `call`
  static let silent = Option(
    "silent", short: "s", summary: "print no transfer errors and no progress",
    detail: "Errors of `authctl` itself (login required, keyring, origin, usage) are still printed, on one line.")

  /// `-S, --show-error` of `call`
  static let showError = Option("show-error", short: "S", summary: "with -s, print error messages")
}

extension Option {
  /// `--json` of the commands that print profile data
  static let json = Option(
    "json", summary: "print JSON, errors included",
    detail: "An error is one JSON object on standard error, as with `--errors=json`.")
}
