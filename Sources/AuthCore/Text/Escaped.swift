/// Text from outside in a form that is safe to show: a server's words can't drive the reader's terminal.
package enum Escaped {
  /// The text on one line, control and format characters escaped, cut to `limit` characters.
  package static func text(_ text: some StringProtocol, limit: Int = 300) -> String {
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
  /// A text of any length on one line: what could drive a terminal is escaped.
  package static func line(_ text: String) -> String { escaped(text) { $0.drivesTerminal } }

  /// The same of a text that may have several lines.
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
  /// Whether it could make a terminal do something else than show it: the control characters C0, DEL and C1, the ends
  /// of lines and paragraphs, and what turns the direction of writing (UAX #9).
  package var drivesTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
