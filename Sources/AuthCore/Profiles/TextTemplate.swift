/// A text with placeholders: `{name}`, or `{name?}` for an optional value; `{{` and `}}` are literal braces.
package struct TextTemplate: Sendable, Equatable {
  /// A piece of the text.
  enum Piece: Sendable, Equatable {
    /// Literal text.
    case text(String)
    /// A placeholder for a value.
    case placeholder(Placeholder)
  }

  /// The reason why a text is not a template; worded to follow the name of its key.
  struct Malformed: Error, Equatable {
    let reason: String
  }

  /// The pieces in order.
  let pieces: [Piece]

  /// The placeholders in order.
  var placeholders: [Placeholder] {
    pieces.compactMap { piece in if case .placeholder(let placeholder) = piece { placeholder } else { nil } }
  }

  /// Parses a text.
  init(_ text: String) throws(Malformed) {
    var pieces: [Piece] = []
    var literal = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "{" || scalar == "}" else {
        literal.unicodeScalars.append(scalar)
        continue
      }
      if rest.first == scalar {
        literal.unicodeScalars.append(scalar)
        rest = rest.dropFirst()
        continue
      }
      guard scalar == "{", let end = rest.firstIndex(of: "}"),
        let placeholder = Placeholder(text[rest.startIndex..<end])
      else { throw Malformed(reason: "has a brace that is not part of a placeholder") }
      if !literal.isEmpty { pieces.append(.text(literal)) }
      literal = ""
      pieces.append(.placeholder(placeholder))
      rest = rest[end...].dropFirst()
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
    self.pieces = pieces
  }

  /// Returns the text with the encoded values in place of the placeholders; values are not searched for placeholders.
  ///
  /// - Returns: nil if an optional value is absent.
  /// - Throws: ``AuthError/usage(_:)`` if a required value is absent or a value is not a text.
  func filled(
    _ values: RequestValues, encode: (String) throws(AuthError) -> String = { text throws(AuthError) in text }
  ) throws(AuthError) -> String? {
    var filled = ""
    for piece in pieces {
      switch piece {
      case .text(let text): filled += text
      case .placeholder(let placeholder):
        guard let value = try values.text(placeholder) else { return nil }
        filled += try encode(value)
      }
    }
    return filled
  }
}
