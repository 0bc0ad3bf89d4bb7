import AuthCore

/// Writes texts with tokens as HTML: each token is a pill with its kind, such as `access 0ef7a8d9`, in its own colour.
struct TracePills: Sendable {
  /// The kinds of the tokens by their fingerprints.
  let kinds: [String: String]

  /// Returns a text in which each token is a pill; its length and its form are the pill's title.
  func html(_ text: String, isMultiline: Bool = false) -> String {
    TraceText.pieces(of: text).map { piece in
      guard let fingerprint = piece.fingerprint else { return HTML.text(piece.text, isMultiline: isMultiline) }
      let inner = String(piece.text.unicodeScalars.dropFirst().dropLast(9))
      let title = inner.isEmpty ? "" : " title=\"\(HTML.text(inner.trimmingEnd))\""
      return "<code class=\"token k-\(fingerprint)\"\(title)>\(HTML.text(name(fingerprint, inner)))</code>"
    }.joined()
  }

  /// Returns the kind and the fingerprint of a token.
  func name(_ fingerprint: String, _ inner: String = "") -> String {
    let word = inner.firstMatch(of: /^([a-z0-9_-]{1,20}) $/).map { String($0.1) }
    let kind = kinds[fingerprint] ?? (word == "redacted" ? nil : word)
    return (kind.map { $0 + " " } ?? "") + fingerprint
  }
}

extension String {
  /// The text without the comma and the spaces at its end.
  fileprivate var trimmingEnd: String {
    var bytes = Array(utf8)
    while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: ",") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
