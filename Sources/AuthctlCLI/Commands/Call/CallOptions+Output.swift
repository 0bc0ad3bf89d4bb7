extension CallOptions {
  /// What comes of the answer.
  static let allOutput = [
    output, remoteName, include, dumpHeader, writeOut, raw, progressBar, silent, showError, noFail,
  ]

  static let output = Option(
    "output", short: "o", .file("FILE"), repeats: true, summary: "write the body to FILE",
    detail: """
      `-o -` is standard output, where the body is then printed as it is, also when it is binary and standard output is \
      a terminal. With several addresses, the first `-o` or `-O` is for the first of them, and so on.
      """)
  static let remoteName = Option(
    "remote-name", short: "O", summary: "write the body to a file named like the URL's last part",
    detail: "In the current folder, whatever the URL: the name is what follows the last slash of its path, as it is.")
  static let include = Option(
    "include", short: "i", summary: "print the answer's header too",
    detail: "That of the final answer only: neither of redirects nor of an answer that refused the token.")
  static let dumpHeader = Option(
    "dump-header", short: "D", .file("FILE"), summary: "write the answer's header to FILE",
    detail: """
      `-D -` is standard output. Like `-i`, it takes the header of the final answer; those of several addresses follow \
      one another.
      """)
  static let raw = Option(
    "raw", summary: "print JSON as it came, on a terminal too",
    detail: """
      On a terminal, an answer in JSON of up to 1 MiB is indented and coloured: nothing else about it changes, neither \
      numbers nor the order of keys. In a pipe, in a file and with `-o -` it is always as it came, unless `--color \
      always` asks for colours in a pipe. Answers of other types and JSON that breaks off are printed as they came.
      """)
  static let progressBar = Option(
    "progress-bar", short: "#", summary: "show progress as a bar",
    detail: """
      A transfer that lasts longer than half a second is shown on standard error if that is a terminal: with numbers, or \
      with `-#` as a bar. Not with `-s` or `-q`, and not where the body itself goes to a terminal.
      """)
  static let silent = Option("silent", short: "s", summary: "print no error messages and no progress")
  static let showError = Option("show-error", short: "S", summary: "with -s, print error messages after all")
  static let noFail = Option("no-fail", summary: "exit 0 also when the API answers 400 or more")
}
