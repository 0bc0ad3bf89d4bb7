/// The modules of a QR code (ISO/IEC 18004), for drawing on a terminal.
package struct QRCode: Sendable, Equatable {
  /// The number of modules per row, and of rows.
  package let width: Int
  /// Whether each module is dark, row by row.
  package let isDark: [Bool]

  /// The number of light modules that the standard requires on each side.
  static let quietZone = 4

  /// Creates a code from its modules; nil if they do not form a square.
  package init?(isDark: [Bool], width: Int) {
    guard width > 0, isDark.count == width * width else { return nil }
    self.width = width
    self.isDark = isDark
  }

  /// The width of the drawing, in columns.
  var drawingWidth: Int { width + 2 * QRCode.quietZone }

  /// Draws the code in half blocks, two rows of modules in a line, with its quiet zone.
  ///
  /// - Parameter colour: whether white on black is set explicitly, which is correct for terminals of all colours;
  ///   otherwise the terminal is assumed to be dark.
  func drawing(colour: Bool) -> String {
    let range = -QRCode.quietZone..<(width + QRCode.quietZone)
    let lines = stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      let line = range.map { column in
        // Light modules are drawn, dark ones are left blank.
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }.joined()
      return line.tinted("97;40", if: colour)
    }
    return lines.joined(separator: "\n")
  }

  private func isDark(_ row: Int, _ column: Int) -> Bool {
    guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
    return isDark[row * width + column]
  }
}
