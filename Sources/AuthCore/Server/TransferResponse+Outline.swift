import HTTPTypes

extension TransferResponse {
  /// The response in a few words, for a message that says why it can't be used: status, content type, and the first
  /// words of the body, escaped and without secrets.
  ///
  /// - Parameter secrets: what was sent and must not come back in a message.
  func outline(hiding secrets: [String] = []) -> String {
    let type = fields[.contentType].map { Escaped.text(SecretText.redacted($0), limit: 80) } ?? "no content type"
    guard !body.isEmpty else { return "\(status), \(type), empty" }
    let known = KnownSecrets(shortest: 4)
    for secret in secrets { known.add(secret) }
    let text = known.redacting(String(decoding: body.prefix(16 << 10), as: UTF8.self))
    let words = SecretText.redacted(text).split(whereSeparator: \.isWhitespace)
    guard words.count > 1 || !TransferResponse.isBareToken(words.first ?? "") else {
      return "\(status), \(type), one word"
    }
    let shown = TransferResponse.withoutTokens(words.prefix(40).joined(separator: " "))
    return "\(status), \(type): \(Escaped.text(shown, limit: 120))"
  }

  /// Whether a body of one word may be a token itself.
  private static func isBareToken(_ word: Substring) -> Bool {
    word.utf8.count >= 8 && !word.contains { "<{[‹".contains($0) }
  }

  /// A text without runs of characters that are too long for words, and may be tokens.
  private static func withoutTokens(_ text: String) -> String {
    var shown = ""
    var run: [Unicode.Scalar] = []
    func end() {
      let isToken = run.count >= 32 || run.count >= 20 && run.contains { ("0"..."9").contains($0) }
      if isToken { shown += "‹redacted›" } else { shown.unicodeScalars.append(contentsOf: run) }
      run = []
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "~", "+": run.append(scalar)
      default:
        end()
        shown.unicodeScalars.append(scalar)
      }
    }
    end()
    return shown
  }
}
