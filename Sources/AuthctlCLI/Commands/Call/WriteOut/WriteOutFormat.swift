/// The format of `-w`, parsed as in curl: text, `%{variable}`, `%header{name}`, `%%`, `\n`, `\r`, `\t`.
struct WriteOutFormat: Sendable {
  /// A piece of the format.
  enum Piece: Sendable, Equatable {
    /// Printed as it is.
    case text(String)
    /// A variable.
    case variable(WriteOutVariable)
    /// An unknown variable name.
    case unknown(String)
    /// The value of a header field of the response.
    case header(String)
  }

  /// The pieces, in order.
  let pieces: [Piece]

  /// Parses a format. Malformed parts are text.
  init(_ format: String) {
    var pieces: [Piece] = []
    var text = ""
    var rest = format.unicodeScalars[...]
    let take = { (piece: Piece, text: inout String) in
      if !text.isEmpty { pieces.append(.text(text)) }
      text = ""
      pieces.append(piece)
    }
    while let first = rest.popFirst() {
      guard first == "%" || first == "\\", let second = rest.first else {
        text.unicodeScalars.append(first)
        continue
      }
      if first == "\\" {
        rest.removeFirst()
        text += WriteOutFormat.escape(second)
      } else if let name = WriteOutFormat.braced(after: "{", &rest) {
        take(WriteOutVariable(named: name).map(Piece.variable) ?? .unknown(name), &text)
      } else if let name = WriteOutFormat.braced(after: "header{", &rest) {
        take(.header(name), &text)
      } else if let opening = ["{", "header{"].first(where: { rest.starts(with: $0.unicodeScalars) }) {
        // The closing brace is missing.
        rest.removeFirst(opening.unicodeScalars.count)
        text += "%" + opening
      } else {
        rest.removeFirst()
        text += second == "%" ? "%" : "%" + String(second)
      }
    }
    if !text.isEmpty { pieces.append(.text(text)) }
    self.pieces = pieces
  }

  /// Returns a file's content without its line ends, which are not part of the format, as in curl.
  static func joined(_ content: String) -> String {
    content.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .reduce(into: "") { $0.unicodeScalars.append(contentsOf: $1.prefix { $0 != "\r" }) }
  }

  private static func escape(_ letter: Unicode.Scalar) -> String {
    switch letter {
    case "n": "\n"
    case "r": "\r"
    case "t": "\t"
    default: "\\" + String(letter)
    }
  }

  /// Removes and returns the text between an opening and the next `}`; nil if there is none.
  private static func braced(after opening: String, _ rest: inout Substring.UnicodeScalarView) -> String? {
    guard rest.starts(with: opening.unicodeScalars) else { return nil }
    let inner = rest.dropFirst(opening.unicodeScalars.count)
    guard let end = inner.firstIndex(of: "}") else { return nil }  // scalars
    rest = inner[inner.index(after: end)...]
    return String(inner[..<end])
  }
}
