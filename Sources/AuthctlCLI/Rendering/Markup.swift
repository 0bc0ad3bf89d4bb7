/// A text of the table, taken apart, so that a terminal and a manual page can each show it their own way.
///
/// The notation is small: paragraphs end at a blank line; `` `code` `` is what one types, `_NAME_` what one puts
/// something in place of; a line that begins with `- ` is an item of a list (its further lines are indented by two),
/// and with `` - `term`: `` an explanation of the term; lines indented by four are shown as they are.
struct Markup: Sendable, Hashable {
  /// The blocks, in order.
  let blocks: [Block]

  /// A piece of text that stands by itself.
  enum Block: Sendable, Hashable {
    /// A paragraph.
    case paragraph([Span])
    /// An item of a list.
    case item([Span])
    /// A term and its explanation.
    case definition(term: [Span], [Span])
    /// Lines that are shown as they are.
    case literal([String])

    /// Whether it belongs to a list, whose items stand without a gap.
    var isListed: Bool {
      switch self {
      case .item, .definition: true
      case .paragraph, .literal: false
      }
    }
  }

  /// Makes a text of blocks.
  init(blocks: [Block]) { self.blocks = blocks }

  /// Takes a text apart.
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
