import AuthCore

/// A line about a discovered setting: `Server       https://id.example.com             (RFC 8414)`.
struct LoginFact: Sendable {
  /// The first word of the line, such as `API`, `Server`, `Client` or `Scopes`.
  let name: String
  /// The value that was found; it may come from a server.
  let value: String
  /// The source of the value; nil if it needs none.
  var source: String?

  /// The line: the value in the second column and the source, in parentheses, in the third.
  var text: String {
    // Addresses are judged by their hosts.
    let line = name.padded(to: 13) + WebURL.shown(value)
    return source.map { line.padded(to: 48) + " (\($0))" } ?? line
  }
}

extension Context {
  /// Prints a discovered setting on standard error, unless the user wants no notes.
  func note(_ fact: LoginFact) {
    guard !verbosity.quiet else { return }
    console.note(fact.text)
  }
}
