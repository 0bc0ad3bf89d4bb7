extension CallOptions {
  /// What comes of the answer.
  static let allOutput = [output, include, silent, showError, noFail]

  static let output = Option(
    "output", short: "o", .file("FILE"), repeats: true, summary: "write the body to FILE",
    detail: "With several addresses, the first `-o` is for the first of them, and so on.")
  static let include = Option("include", short: "i", summary: "print the answer's header too")
  static let silent = Option("silent", short: "s", summary: "print no error messages")
  static let showError = Option("show-error", short: "S", summary: "with -s, print error messages after all")
  static let noFail = Option("no-fail", summary: "exit 0 also when the API answers 400 or more")
}
