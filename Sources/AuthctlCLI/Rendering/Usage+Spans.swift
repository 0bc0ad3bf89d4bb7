extension Usage {
  /// The line with what one types apart from what one replaces.
  var spans: [Markup.Span] {
    let typed = 1 + (command?.words.count ?? 0)
    return words.enumerated().flatMap { index, word -> [Markup.Span] in
      let span: Markup.Span = index < typed ? .code(word) : .placeholder(word)
      return index == 0 ? [span] : [.text(" "), span]
    }
  }
}
