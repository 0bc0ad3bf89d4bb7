/// Escapes external text for display, so that a server's text can't control the user's terminal.
package enum Escaped {
  /// Returns the text on one line, with control and format characters escaped, truncated to `limit` characters.
  package static func text(_ text: some StringProtocol, limit: Int = 300) -> String {
    // Most texts are ASCII without control characters.
    if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(text) }
    var shown = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default:
        shown.unicodeScalars.append(scalar)
      }
    }
    return text.unicodeScalars.count > limit ? shown + "…" : shown
  }
}

extension Escaped {
  /// Returns a text of any length on one line, with characters escaped that could control a terminal.
  package static func line(_ text: String) -> String { escaped(text) { $0.drivesTerminal } }

  /// Returns a text of several lines, with characters escaped that could control a terminal.
  package static func lines(_ text: String) -> String { escaped(text) { $0.drivesTerminal && $0 != "\n" } }

  private static func escaped(_ text: String, _ isEscaped: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      if isEscaped(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it could control a terminal: the control characters C0, DEL and C1, line and paragraph separators, and
  /// characters that change the writing direction (UAX #9).
  package var drivesTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
