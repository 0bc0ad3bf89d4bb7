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
