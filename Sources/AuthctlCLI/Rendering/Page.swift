/// Text for a terminal: wrapped, indented, and optionally in bold and underlined.
struct Page: Sendable {
  /// The width of a line, in columns.
  let width: Int
  /// Whether bold and underline are used.
  let colour: Bool
  /// The name of the program in the text.
  let program: ProgramName
  /// The output so far.
  private(set) var text = ""

  /// Creates an empty page, at least 40 columns wide.
  init(width: Int, colour: Bool, program: ProgramName) {
    self.width = max(width, 40)
    self.colour = colour
    self.program = program
  }

  /// Adds an empty line, if there is text above it.
  mutating func gap() {
    if !text.isEmpty, !text.hasSuffix("\n\n") { text += "\n" }
  }

  /// Adds a title without indentation.
  mutating func title(_ title: String) {
    gap()
    text += styled(.code(title), title) + "\n"
  }

  /// Adds a line without wrapping.
  mutating func line(_ spans: [Markup.Span], indent: Int) {
    text += String(repeating: " ", count: indent) + named(spans).map { styled($0, $0.content) }.joined() + "\n"
  }

  /// Adds a paragraph, its first line after `lead`, whose width is the number of its characters.
  mutating func wrapped(_ spans: [Markup.Span], indent: Int, lead: [Markup.Span] = []) {
    let margin = String(repeating: " ", count: indent)
    let lead = named(lead)
    let leadWidth = lead.map(\.content.count).reduce(0, +)
    text += lead.map { styled($0, $0.content) }.joined()
    text += String(repeating: " ", count: max(0, indent - leadWidth))
    var column = max(indent, leadWidth)
    var isFirst = true
    for word in Self.words(of: named(spans)) {
      let length = word.map(\.content.count).reduce(0, +)
      if !isFirst, column + 1 + length > width {
        text += "\n" + margin
        column = indent
      } else if !isFirst {
        text += " "
        column += 1
      }
      text += word.map { styled($0, $0.content) }.joined()
      column += length
      isFirst = false
    }
    text += "\n"
  }

  /// Adds text with its paragraphs, lists and literal lines.
  mutating func add(_ markup: Markup, indent: Int) {
    var previous: Markup.Block?
    for block in markup.blocks {
      if let previous, !(previous.isListed && block.isListed) { gap() }
      switch block {
      case .paragraph(let spans): wrapped(spans, indent: indent)
      case .item(let spans):
        wrapped(spans, indent: indent + 2, lead: [.text(String(repeating: " ", count: indent) + "- ")])
      case .definition(let term, let spans):
        line(term, indent: indent)
        wrapped(spans, indent: indent + 4)
      case .literal(let lines): for literal in lines { line([.text(literal)], indent: indent + 4) }
      }
      previous = block
    }
  }

  /// Returns the words between spaces, each of one or more spans: `--flow` and the comma after it are one word.
  private static func words(of spans: [Markup.Span]) -> [[Markup.Span]] {
    var words: [[Markup.Span]] = [[]]
    for span in spans {
      let parts = span.content.split(separator: " ", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 { words.append([]) }
        if !part.isEmpty { words[words.count - 1].append(span.with(String(part))) }
      }
    }
    return words.filter { !$0.isEmpty }
  }

  private func named(_ spans: [Markup.Span]) -> [Markup.Span] { spans.map { $0.with(program.named($0.content)) } }

  private func styled(_ span: Markup.Span, _ content: String) -> String {
    guard colour, !content.isEmpty else { return content }
    return switch span {
    case .text: content
    case .code: content.tinted("1")
    case .placeholder: content.tinted("4")
    }
  }
}

extension String {
  /// Returns the text in a colour or another rendition (ECMA-48, SGR), or unchanged.
  func tinted(_ parameter: String, if isTinted: Bool = true) -> String {
    isTinted ? "\u{1B}[\(parameter)m\(self)\u{1B}[0m" : self
  }
}
