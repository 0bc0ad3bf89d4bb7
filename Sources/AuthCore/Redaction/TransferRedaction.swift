/// Replaces the secrets of one request and its response, unless they are kept.
struct TransferRedaction: Sendable {
  private let redaction: Redaction?
  private let isForServer: Bool
  private let kinds: (@Sendable (JSONValue) -> [String: BodyValue.Kind])?
  /// The secrets of this request, which may be short.
  private let own = KnownSecrets(shortest: 1)

  init(_ redaction: Redaction?, _ transfer: Transfer) {
    self.redaction = redaction
    isForServer = transfer.isForServer
    kinds = transfer.valueKinds
    guard let redaction else { return }
    for secret in transfer.secrets {
      own.add(secret.exposed)
      redaction.learn(value: secret.exposed)
    }
    redaction.learn(text: transfer.url.string)
    if case .bytes(let bytes) = transfer.body { learn(body: bytes) }
  }

  /// Remembers the secrets at the beginning of a body. Those that are recognized by name occur in forms and JSON, which
  /// are short.
  func learn(body: [UInt8]) { redaction?.learn(text: String(decoding: body.prefix(64 << 10), as: UTF8.self)) }

  /// Remembers the secrets in header lines.
  ///
  /// - Parameter credential: the names of the fields that carry the token.
  func learn(_ lines: [String], credential: Set<String>) {
    guard let redaction else { return }
    for line in lines { redaction.learn(headerLine: line, isSecret: TransferRedaction.isField(line, in: credential)) }
  }

  /// Remembers the value of a field that carries the token, with and without its prefix.
  func keep(_ value: String) {
    own.add(value)
    own.add(value.firstIndex(ofAny: " ").map { value.suffix(after: $0) } ?? "")
  }

  /// Returns a header line that is sent without its secrets.
  func line(_ line: String, credential: Set<String>) -> String {
    let isSecret = TransferRedaction.isField(line, in: credential)
    return redaction?.headerLine(own.redacting(line), isSecret: isSecret) ?? line
  }

  /// Returns a header line that was received without its secrets.
  func received(_ line: String) -> String { redaction?.receivedLine(own.redacting(line)) ?? line }

  /// Returns a text of a server, whose other secrets are replaced, without short ones.
  func serverText(_ text: String) -> String { redaction?.withoutShortValues(text) ?? text }

  /// Returns a text without secrets.
  func text(_ text: String) -> String { redaction?.text(own.redacting(text)) ?? text }

  /// Returns a body without secrets.
  ///
  /// - Parameter isCut: whether it may end within a secret.
  func body(_ text: String, isCut: Bool) -> String {
    guard let redaction else { return text }
    // The tokens that the authorization server gets and issues are shown with their fingerprints.
    if isForServer { return own.redacting(redaction.content(text, isCut: isCut), isCut: isCut) }
    return redaction.text(own.redacting(text, isCut: isCut), isCut: isCut)
  }

  /// Returns the body of a response that may issue secrets under any name, without them.
  func issued(_ text: String, isCut: Bool) -> String {
    guard let redaction else { return text }
    return own.redacting(redaction.issued(text, isCut: isCut) { kinds?($0) ?? [:] }, isCut: isCut)
  }

  /// Whether the name of a field, in lower case, is one of some names.
  private static func isField(_ line: String, in names: Set<String>) -> Bool {
    guard !names.isEmpty else { return false }
    return names.contains(Substring(line.utf8.prefix { $0 != UInt8(ascii: ":") }).lowercased())
  }
}
