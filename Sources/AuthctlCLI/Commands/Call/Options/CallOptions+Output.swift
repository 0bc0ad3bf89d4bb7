extension CallOptions {
  /// The options that control how the response is shown and stored.
  static let allOutput = [
    output, remoteName, include, dumpHeader, writeOut, raw, progressBar, .silent, .showError, fail, failWithBody,
    noFail,
  ]

  static let output = Option("output", short: "o", .file("FILE"), repeats: true, summary: "write the body to FILE")
  static let remoteName = Option("remote-name", short: "O", summary: "write the body to a file named as in the URL")
  static let include = Option("include", short: "i", summary: "print the response headers, too")
  static let dumpHeader = Option(
    "dump-header", short: "D", .file("FILE"), summary: "write the response headers to FILE")
  static let raw = Option("raw", summary: "print JSON unchanged, even on a terminal")
  static let progressBar = Option("progress-bar", short: "#", summary: "show progress as a bar")
  static let fail = Option("fail", short: "f", summary: "print no body if the status is 400 or more")
  static let failWithBody = Option("fail-with-body", summary: "print the body even if the status is 400 or more")
  static let noFail = Option("no-fail", summary: "exit 0 even if the status is 400 or more")
}

extension CallOptions {
  static let writeOut = Option(
    "write-out", short: "w", .textOrAtFile("FORMAT"), summary: "print FORMAT after the transfer")
}
