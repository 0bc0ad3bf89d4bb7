import AuthCore

/// Writes roff: escapes the text and keeps its lines short, as mandoc's lint requires.
struct Roff: Sendable {
  /// The output so far.
  private(set) var text = ""

  /// Adds a comment.
  mutating func comment(_ comment: String) { text += ".\\\" \(comment)\n" }

  /// Begins a page. The date stays unescaped: mandoc reads it.
  mutating func header(_ name: String, section: Int = 1, date: String, source: String) {
    let title = Self.escaped(name.uppercased(), exactly: true)
    text += ".TH \(title) \(section) \(date) \"\(Self.escaped(source, exactly: true))\"\n"
  }

  /// Adds a macro of man(7) with its arguments.
  mutating func macro(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { argument in
      let escaped = Self.escaped(argument, exactly: true)
      return escaped.isEmpty || escaped.contains(" ") ? "\"\(escaped)\"" : escaped
    }
    text += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
  }

  /// Adds a roff request unchanged.
  mutating func request(_ request: String) { text += ".\(request)\n" }

  /// Adds one line: spans, then raw roff.
  mutating func line(_ spans: [Markup.Span], then raw: String = "") {
    text += Self.guarded(spans.map(Self.styled).joined() + raw) + "\n"
  }

  /// Adds the head of a tagged paragraph; its body follows.
  mutating func tagged(_ tag: [Markup.Span]) {
    macro("TP")
    line(tag)
  }

  /// Adds running text.
  mutating func text(_ spans: [Markup.Span]) {
    var line = ""
    for word in Self.words(of: spans) {
      if !line.isEmpty, line.count + 1 + word.count > 78 {
        text += Self.guarded(line) + "\n"
        line = ""
      }
      line += line.isEmpty ? word : " " + word
    }
    if !line.isEmpty { text += Self.guarded(line) + "\n" }
  }

  /// Adds lines without wrapping, indented.
  mutating func literal(_ lines: [String]) {
    macro("PP")
    macro("RS", "4")
    request("nf")
    for line in lines { self.line([.code(line)]) }
    request("fi")
    macro("RE")
  }

  /// Adds the section with references to other pages, each with its section of the manual.
  mutating func references(_ pages: [(name: String, section: Int)]) {
    guard !pages.isEmpty else { return }
    macro("SH", "SEE ALSO")
    for (index, page) in pages.enumerated() {
      line([.code(page.name)], then: "(\(page.section))" + (index < pages.count - 1 ? "," : ""))
    }
  }

  /// Adds text with its paragraphs, lists and literal lines, below the title of a section.
  mutating func add(_ markup: Markup) {
    for (index, block) in markup.blocks.enumerated() {
      switch block {
      case .paragraph(let spans):
        if index > 0 { macro("PP") }
        text(spans)
      case .item(let spans):
        macro("IP", "\u{2022}", "3")
        text(spans)
      case .definition(let term, let spans):
        tagged(term)
        text(spans)
      case .literal(let lines): literal(lines)
      }
    }
  }

  /// Adds the same inside a tagged paragraph and keeps its indentation.
  mutating func addNested(_ markup: Markup) {
    var rest = markup.blocks[...]
    if case .paragraph(let spans)? = rest.first {
      text(spans)
      rest.removeFirst()
    }
    guard !rest.isEmpty else { return }
    macro("RS")
    for block in rest {
      if case .paragraph(let spans) = block {
        macro("PP")
        text(spans)
      } else {
        add(Markup(blocks: [block]))
      }
    }
    macro("RE")
  }
}

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
