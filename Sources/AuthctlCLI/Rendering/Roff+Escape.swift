extension Roff {
  /// The text with all that roff would read as its own escaped.
  ///
  /// `exactly` is for what one types: hyphens and quotation marks there must come out as the ASCII characters that a
  /// shell understands, where prose may have them set in type.
  static func escaped(_ text: String, exactly: Bool = false) -> String {
    var result = ""
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      // A dash that begins a word is an option's, in prose too.
      let beginsOption = scalar == "-" && " -(".unicodeScalars.contains(previous)
      result += escape(scalar, exactly: exactly || beginsOption)
      previous = scalar
    }
    return result
  }

  private static func escape(_ scalar: Unicode.Scalar, exactly: Bool) -> String {
    switch scalar {
    case "\\": "\\e"
    case "\"": "\\(dq"
    case "-" where exactly: "\\-"
    case "'" where exactly: "\\(aq"
    case "`": "\\(ga"
    case "^": "\\(ha"
    case "~": "\\(ti"
    case "\u{2022}": "\\(bu"
    case "\u{2026}": "..."
    case _ where scalar.isASCII: String(scalar)
    default: "\\[u\(hexadecimal(scalar))]"
    }
  }

  /// At least four capital hexadecimal digits, as groff_char(7) wants them.
  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The span in its font.
  static func styled(_ span: Markup.Span) -> String {
    switch span {
    case .text(let content): escaped(content)
    case .code(let content): "\\fB\(escaped(content, exactly: true))\\fP"
    case .placeholder(let content): "\\fI\(escaped(content, exactly: true))\\fP"
    }
  }

  /// The line with its first character kept from being read as the mark of a request.
  static func guarded(_ line: String) -> String { line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line }

  /// The words of running text, each with its fonts; a space inside of code is where a line may end too.
  static func words(of spans: [Markup.Span]) -> [String] {
    var words = [""]
    for span in spans {
      for (index, part) in span.content.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { words.append("") }
        if !part.isEmpty { words[words.count - 1] += styled(span.with(String(part))) }
      }
    }
    return words.filter { !$0.isEmpty }
  }
}
