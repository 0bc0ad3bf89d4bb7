import AuthCore

/// What a page says of the command whose flow was recorded.
struct TraceRun: Sendable {
  /// The command line without secrets; empty if unknown.
  var commandLine = ""
  /// The name and the version of the program; empty if unknown.
  var version = ""
  /// The exit status; nil if the command was interrupted.
  var exit: Int32?
  /// The readable parts of the JWTs, by their fingerprints.
  var tokens: [String: Redaction.ReadableToken] = [:]
}

extension Invocation {
  /// Returns the command line, with `‹…›` in place of values that may be secrets.
  ///
  /// - Parameter redacted: removes secrets from a word; before it is cut, after which they would not be recognized.
  func line(_ program: ProgramName, _ redacted: (String) -> String) -> String {
    let options = occurrences.flatMap { occurrence in
      ["--\(occurrence.option.long)"] + (occurrence.shownValue.map { [$0] } ?? [])
    }
    // The arguments of a command that is started are not known.
    let shown = command.name == "exec" && operands.count > 1 ? [operands[0], "‹…›"] : operands
    let words = (options + shown).map { Invocation.quoted(redacted($0)) }
    return ([program.text, command.name] + words).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    word.ends(withBytes: "‹…›") ? Escaped.text(word) : ShellWord.quoted(Escaped.text(word))
  }
}

extension Occurrence {
  /// Options whose values, which are free texts, are no secrets.
  private static let harmless: Set<String> = [
    "api", "audience", "client-id", "issuer", "items", "paginate", "redirect-uri", "request", "resource", "scope",
    "username",
  ]

  /// The value without what may be a secret; nil for a switch.
  fileprivate var shownValue: String? {
    guard let value, let kind = option.value else { return nil }
    let isNamed = [.file, .directory, .profile].contains(kind.completion) || !kind.choices.isEmpty
    // A number or a duration: a value that is checked.
    let isChecked = kind.check("‹›") != nil
    if isNamed || isChecked || Occurrence.harmless.contains(option.long) { return value }
    // Of a header field and of a field of a request the name is shown.
    let name = value.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "=") }
    guard ["header", "field"].contains(option.long), name.count < value.utf8.count else { return "‹…›" }
    return String(Substring(name)) + (option.long == "header" ? ": ‹…›" : "=‹…›")
  }
}
