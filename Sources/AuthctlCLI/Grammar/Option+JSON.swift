extension Option {
  /// `--json` of the commands that print about profiles
  static let json = Option(
    "json", summary: "print JSON, errors included",
    detail: "An error is one JSON object on standard error, as with `--errors=json`.")
}
