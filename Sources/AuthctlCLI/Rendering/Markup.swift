/// A parsed text of the table, which a terminal and a manual page show in different ways.
///
/// The notation is small: paragraphs end at a blank line; `` `code` `` is text that the user types, `_NAME_` a name
/// that the user replaces; a line that begins with `- ` is an item of a list (its further lines are indented by two),
/// and with `` - `term`: `` an explanation of the term; lines indented by four are shown unchanged.
struct Markup: Sendable, Hashable {
  /// The blocks, in order.
  let blocks: [Block]

  /// A separate piece of text.
  enum Block: Sendable, Hashable {
    /// A paragraph.
    case paragraph([Span])
    /// An item of a list.
    case item([Span])
    /// A term and its explanation.
    case definition(term: [Span], [Span])
    /// Lines that are shown unchanged.
    case literal([String])

    /// Whether it belongs to a list, whose items follow each other without a gap.
    var isListed: Bool {
      switch self {
      case .item, .definition: true
      case .paragraph, .literal: false
      }
    }
  }

  /// Creates a text from blocks.
  init(blocks: [Block]) { self.blocks = blocks }

  /// Parses a text.
  init(_ text: String) {
    var blocks: [Block] = []
    var lines: [Substring] = []
    for line in (text + "\n").split(separator: "\n", omittingEmptySubsequences: false) {
      let begins = line.isEmpty || line.hasPrefix("- ")
      if begins, !lines.isEmpty {
        blocks.append(Self.block(lines))
        lines = []
      }
      if !line.isEmpty { lines.append(line) }
    }
    self.blocks = blocks
  }

  private static func block(_ lines: [Substring]) -> Block {
    if lines.allSatisfy({ $0.hasPrefix("    ") }) { return .literal(lines.map { String($0.dropFirst(4)) }) }
    let text = lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
    guard text.hasPrefix("- ") else { return .paragraph(Span.spans(of: text)) }
    let item = text.dropFirst(2)
    guard item.hasPrefix("`") || item.hasPrefix("_"), let colon = item.firstRange(of: ": ") else {
      return .item(Span.spans(of: String(item)))
    }
    let term = Span.spans(of: String(item[..<colon.lowerBound]))
    guard !term.contains(where: \.isText) else { return .item(Span.spans(of: String(item))) }
    return .definition(term: term, Span.spans(of: String(item[colon.upperBound...])))
  }
}

extension Markup {
  /// A piece of text of one kind.
  enum Span: Sendable, Hashable {
    /// Prose.
    case text(String)
    /// Text that the user types.
    case code(String)
    /// A name that the user replaces.
    case placeholder(String)

    /// The characters, without the kind.
    var content: String {
      switch self {
      case .text(let content), .code(let content), .placeholder(let content): content
      }
    }

    /// Returns a span of the same kind with other characters.
    func with(_ content: String) -> Span {
      switch self {
      case .text: .text(content)
      case .code: .code(content)
      case .placeholder: .placeholder(content)
      }
    }

    /// Whether this is prose with a letter or a digit in it, and not only punctuation between two terms.
    var isText: Bool {
      guard case .text(let content) = self else { return false }
      return content.contains { $0.isLetter || $0.isNumber }
    }

    /// Splits a line of ``Markup`` into spans.
    ///
    /// A mark without a partner is a character like any other, and so is an underscore inside a word (`access_token`).
    static func spans(of line: String) -> [Span] {
      var spans: [Span] = []
      var prose = ""
      var rest = line[...]
      while let first = rest.first {
        let opens = first == "`" || first == "_" && !(prose.last.map(isWord) ?? false)
        guard opens, let end = closing(first, in: rest) else {
          prose.append(rest.removeFirst())
          continue
        }
        if !prose.isEmpty { spans.append(.text(prose)) }
        prose = ""
        let content = String(rest[rest.index(after: rest.startIndex)..<end])
        spans.append(first == "`" ? .code(content) : .placeholder(content))
        rest = rest[rest.index(after: end)...]
      }
      return prose.isEmpty ? spans : spans + [.text(prose)]
    }

    /// Returns the position of the mark that closes the mark at the start.
    private static func closing(_ mark: Character, in text: Substring) -> Substring.Index? {
      let inner = text.dropFirst()
      guard let end = inner.firstIndex(of: mark), end > inner.startIndex else { return nil }
      let after = text.index(after: end)
      if mark == "_", after < text.endIndex, isWord(text[after]) { return nil }
      return end
    }

    private static func isWord(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_"
    }
  }
}
