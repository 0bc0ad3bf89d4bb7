/// A text with places for values: `{name}`, or `{name?}` for one that may be absent; `{{` and `}}` are braces
/// themselves.
package struct TextTemplate: Sendable, Equatable {
  /// A piece of the text.
  enum Piece: Sendable, Equatable {
    /// What stands there as it is.
    case text(String)
    /// Where a value goes.
    case placeholder(Placeholder)
  }

  /// Why a text is no template; worded to stand after the name of its key.
  struct Malformed: Error, Equatable {
    let reason: String
  }

  /// The pieces in their order.
  let pieces: [Piece]

  /// The places for values, in their order.
  var placeholders: [Placeholder] {
    pieces.compactMap { piece in if case .placeholder(let placeholder) = piece { placeholder } else { nil } }
  }

  /// Takes a text apart.
  init(_ text: String) throws(Malformed) {
    var pieces: [Piece] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "{" || character == "}" else {
        literal.append(character)
        continue
      }
      if rest.first == character {
        literal.append(character)
        rest = rest.dropFirst()
        continue
      }
      guard character == "{", let end = rest.firstIndex(of: "}"), let placeholder = Placeholder(rest[..<end]) else {
        throw Malformed(reason: "has a brace that is not part of a placeholder")
      }
      if !literal.isEmpty { pieces.append(.text(literal)) }
      literal = ""
      pieces.append(.placeholder(placeholder))
      rest = rest[rest.index(after: end)...]
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
    self.pieces = pieces
  }

  /// The text with the values in their places, each encoded; a value is never looked at for places itself.
  ///
  /// - Returns: nil where a value that may be absent is.
  /// - Throws: ``AuthError/usage(_:)`` where any other value is absent or is no text.
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
