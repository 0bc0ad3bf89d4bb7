import AuthCore

extension Roff {
  /// Returns the text with all characters escaped that roff would interpret.
  ///
  /// `exactly` is for text that the user types: hyphens and quotation marks in it must be printed as the ASCII
  /// characters that a shell understands. In prose they may be typographic.
  static func escaped(_ text: String, exactly: Bool = false) -> String {
    var result = ""
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      // A dash at the beginning of a word belongs to an option, in prose too.
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
    // As groff_char(7) requires.
    default: "\\[u\(scalar.value.hexadecimal(4).uppercased())]"
    }
  }

  /// Returns the span in its font.
  static func styled(_ span: Markup.Span) -> String {
    switch span {
    case .text(let content): escaped(content)
    case .code(let content): "\\fB\(escaped(content, exactly: true))\\fP"
    case .placeholder(let content): "\\fI\(escaped(content, exactly: true))\\fP"
    }
  }

  /// Returns the line, escaped if its first character would mark a request.
  static func guarded(_ line: String) -> String { line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line }

  /// Returns the words of running text, each with its fonts. A line may also end at a space inside code.
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
