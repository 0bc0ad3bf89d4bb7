/// A QR code as its modules (ISO/IEC 18004), to be drawn on a terminal.
package struct QRCode: Sendable, Equatable {
  /// How many modules it has in a row, and rows.
  package let width: Int
  /// Whether each module is dark, row by row.
  package let isDark: [Bool]

  /// The light modules that the standard wants on each side.
  static let quietZone = 4

  /// Makes a code of its modules; nil where they are no square.
  package init?(isDark: [Bool], width: Int) {
    guard width > 0, isDark.count == width * width else { return nil }
    self.width = width
    self.isDark = isDark
  }

  /// The columns that the drawing takes.
  var drawingWidth: Int { width + 2 * QRCode.quietZone }

  /// The code in half blocks, two rows of modules in a line, with its quiet zone.
  ///
  /// - Parameter colour: states white on black, so that it is right on a terminal of any colours; without it the
  ///   terminal is taken for a dark one.
  func drawing(colour: Bool) -> String {
    let range = -QRCode.quietZone..<(width + QRCode.quietZone)
    let lines = stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      let line = range.map { column in
        // What is light is drawn, what is dark is left out.
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }.joined()
      return colour ? "\u{1B}[97;40m\(line)\u{1B}[0m" : line
    }
    return lines.joined(separator: "\n")
  }

  private func isDark(_ row: Int, _ column: Int) -> Bool {
    guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
    return isDark[row * width + column]
  }
}
