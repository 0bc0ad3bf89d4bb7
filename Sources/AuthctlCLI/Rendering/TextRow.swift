import AuthCore

/// A row of a terminal, written at any of its columns.
struct TextRow: Sendable {
  /// One column.
  private struct Cell: Equatable {
    /// A character; empty if the one before it takes two columns.
    var text = " "
    /// The parameter of its colour (ECMA-48, SGR); empty for none.
    var tint = ""
  }

  private var cells: [Cell]
  private let tokens: [TraceToken]

  /// Creates an empty row.
  ///
  /// - Parameter tokens: the tokens that have colours.
  init(width: Int, tokens: [TraceToken] = []) {
    cells = Array(repeating: Cell(), count: width)
    self.tokens = tokens
  }

  /// Writes a text over what is there; what does not fit is cut. Tokens have their own colours.
  mutating func write(_ text: String, at column: Int, _ tint: String) {
    var column = column
    for piece in TraceText.pieces(of: text) {
      let tint = piece.fingerprint.map(self.tint) ?? tint
      for character in piece.text {
        let width = TextRow.columns(String(character))
        guard width > 0, column >= 0, column + width <= cells.count else { continue }
        cells[column] = Cell(text: String(character), tint: tint)
        if width == 2 { cells[column + 1] = Cell(text: "", tint: tint) }
        column += width
      }
    }
  }

  /// Returns the row without spaces at its end.
  func text(isColoured: Bool) -> String {
    let shown = cells[..<((cells.lastIndex { $0.text != " " } ?? -1) + 1)]
    guard isColoured else { return shown.map(\.text).joined() }
    var text = ""
    var rest = shown
    while let first = rest.first {
      let run = rest.prefix { $0.tint == first.tint }
      text += run.map(\.text).joined().tinted(first.tint, if: !first.tint.isEmpty)
      rest = rest[run.endIndex...]
    }
    return text
  }

  /// The width of a text in columns: two for the wide characters of East Asia and for pictures (UAX #11).
  static func columns(_ text: String) -> Int {
    text.reduce(0) { width, character in
      guard let first = character.unicodeScalars.first, first.properties.generalCategory != .nonspacingMark,
        first.properties.generalCategory != .enclosingMark
      else { return width }
      return width + (isWide(first) ? 2 : 1)
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// The colours of tokens: of medium brightness, to be read on light and dark (xterm's 256 colours).
  private static let palette = [33, 166, 64, 133, 30, 161, 136, 98, 35, 126, 62, 130]

  /// Returns the colour of a token, which is the same in all rows: bold only, if there are too many.
  private func tint(of fingerprint: String) -> String {
    let place = tokens.firstIndex(of: TraceToken(fingerprint: fingerprint))
    guard let place, place < TextRow.palette.count else { return "1" }
    return "1;38;5;\(TextRow.palette[place])"
  }
}
