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
