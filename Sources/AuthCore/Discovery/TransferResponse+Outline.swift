import HTTPTypes

extension TransferResponse {
  /// Returns a summary of an unusable response for a message. It contains the status, the content type, and the first
  /// words of the body, escaped and without secrets.
  func outline() -> String {
    let type = fields[.contentType].map { Escaped.text(SecretText.redacted($0), limit: 80) } ?? "no content type"
    guard !body.isEmpty else { return "\(status), \(type), empty" }
    let known = KnownSecrets(shortest: 4)
    for secret in secrets { known.add(token: secret) }
    let text = known.redacting(String(decoding: body.prefix(16 << 10), as: UTF8.self))
    let words = SecretText.redacted(text).split(atAny: " \t\r\n")
    guard words.count > 1 || !TransferResponse.isBareToken(words.first ?? "") else {
      return "\(status), \(type), one word"
    }
    let shown = SecretText.withoutLongWords(words.prefix(40).joined(separator: " "))
    return "\(status), \(type): \(Escaped.text(shown, limit: 120))"
  }

  /// Whether a body of a single word may be a token.
  private static func isBareToken(_ word: Substring) -> Bool {
    word.utf8.count >= 8 && !word.contains(anyOf: "<{[") && !word.contains(bytes: "‹")
  }
}
