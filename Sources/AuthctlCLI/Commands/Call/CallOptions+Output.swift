import AuthCore

extension CallOptions {
  /// What comes of the answer.
  static let allOutput = [
    output, remoteName, include, dumpHeader, writeOut, raw, progressBar, silent, showError, fail, failWithBody,
    noFail,
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
  static let silent = Option(
    "silent", short: "s", summary: "print no error messages of the transfer and no progress",
    detail: "A refusal of authctl itself (login required, keyring, origin, usage) is printed, on one line.")
  static let showError = Option("show-error", short: "S", summary: "with -s, print all error messages")
  static let fail = Option(
    "fail", short: "f", summary: "print no body of an answer of 400 or more",
    detail: "The status is 22 all the same. The file of `-o` is not made then, and one that is there stays as it is.")
  static let failWithBody = Option(
    "fail-with-body", summary: "print the body of such an answer, too",
    detail: "That is what `call` does anyway: for lines that say it to curl.")
  static let noFail = Option("no-fail", summary: "exit 0 also when the API answers 400 or more")

  /// What is to be done with an answer of 400 or more is one thing.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where options contradict each other.
  static func checkFailure(_ invocation: Invocation) throws(AuthError) {
    let given = [fail, failWithBody, noFail].filter(invocation.has)
    guard given.count > 1 else { return }
    throw .usage(
      .init(
        "--\(given[0].long)", why: "it can't be given together with --\(given[1].long)",
        hint: "say once what is to be done with an answer of 400 or more"))
  }
}
