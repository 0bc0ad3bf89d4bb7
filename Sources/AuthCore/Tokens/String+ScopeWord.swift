extension String {
  /// Whether the text is a scope word: one or more characters of visible ASCII without `"` and `\` (RFC 6749, section 3.3).
  var isScopeWord: Bool {
    !isEmpty && utf8.allSatisfy { $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }
  }

  /// The well-formed words of a list that is separated by spaces.
  var scopeWords: [String] { split(separator: " ").map(String.init).filter(\.isScopeWord) }
}
