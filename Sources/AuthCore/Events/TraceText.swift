/// Finds the tokens in the texts of a trace: each is its fingerprint of eight hexadecimal digits at the end of `‹…›`.
package enum TraceText {
  /// A part of a text.
  package struct Piece: Sendable, Equatable {
    /// The text of the part.
    package let text: String
    /// The fingerprint, if the part is a token with its marks `‹…›`.
    package let fingerprint: String?
  }

  /// How many tokens the text of one arrow shows.
  static let most = 3

  /// Returns a fingerprint as it is in a text: `‹5da77486›`, or `‹access 5da77486›` if its kind is known.
  static func mark(_ fingerprint: String, kind: String? = nil) -> String {
    "‹\(kind.map { $0 + " " } ?? "")\(fingerprint)›"
  }

  /// Divides a text at its tokens.
  package static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var plain = String.UnicodeScalarView()
    for part in text.unicodeScalars.split(separator: "‹", omittingEmptySubsequences: false).enumerated() {
      guard part.offset > 0 else {
        plain.append(contentsOf: part.element)
        continue
      }
      let mark = part.element.firstIndex(of: "›")  // scalars
      guard let end = mark, let found = fingerprint(at: part.element[..<end]) else {
        plain.append("‹")
        plain.append(contentsOf: part.element)
        continue
      }
      if !plain.isEmpty { pieces.append(Piece(text: String(plain), fingerprint: nil)) }
      pieces.append(Piece(text: "‹\(String(part.element[...end]))", fingerprint: found))
      plain = String.UnicodeScalarView(part.element[part.element.index(after: end)...])
    }
    if !plain.isEmpty { pieces.append(Piece(text: String(plain), fingerprint: nil)) }
    return pieces
  }

  /// Returns the fingerprints in some texts, each once, in the order in which they first occur.
  package static func fingerprints(in texts: [String]) -> [String] {
    var found: [String] = []
    for fingerprint in texts.flatMap(pieces).compactMap(\.fingerprint) where !found.contains(fingerprint) {
      found.append(fingerprint)
    }
    return found
  }

  private static func fingerprint(at mark: Substring.UnicodeScalarView) -> String? {
    let digits = mark.suffix(8)
    guard digits.count == 8, digits.allSatisfy({ ("0"..."9").contains($0) || ("a"..."f").contains($0) }),
      mark.dropLast(8).last ?? " " == " "
    else { return nil }
    return String(String.UnicodeScalarView(digits))
  }
}
