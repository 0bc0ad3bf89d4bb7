/// Compares, searches and splits text by its bytes (UTF-8).
///
/// Text from outside (a server, a file, an argument) is read with these only. The standard library compares and
/// searches by `Character`: an apostrophe that a combining mark follows is another character to it, but not to a shell,
/// a server or libcurl. `make lint` finds the uses of the standard library's functions; a line whose text is this
/// program's own ends with `// own text`.
extension StringProtocol {
  /// Returns whether the text has the bytes of another.
  @inlinable package func isEqual(toBytes other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Returns whether the text begins with the bytes of another.
  @inlinable package func starts(withBytes prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Returns whether the text ends with the bytes of another.
  @inlinable package func ends(withBytes suffix: some StringProtocol) -> Bool {
    unicodeScalars.reversed().starts(with: suffix.unicodeScalars.reversed())
  }

  /// Returns the text after the bytes of another; nil if it does not begin with them.
  @inlinable package func dropping(prefix: some StringProtocol) -> SubSequence? {
    starts(withBytes: prefix) ? self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...] : nil
  }

  /// Returns the text before the bytes of another; nil if it does not end with them.
  @inlinable package func dropping(suffix: some StringProtocol) -> SubSequence? {
    guard ends(withBytes: suffix) else { return nil }
    return self[..<unicodeScalars.index(endIndex, offsetBy: -suffix.unicodeScalars.count)]
  }

  /// Returns whether the bytes of another text occur in this one.
  @inlinable package func contains(bytes searched: some StringProtocol) -> Bool { firstRange(ofBytes: searched) != nil }

  /// Returns the first place of the bytes of another text; nil if they do not occur.
  @inlinable package func firstRange(ofBytes searched: some StringProtocol) -> Range<Index>? {
    var start = startIndex
    while let found = utf8[start...].firstIndex(where: { $0 == searched.utf8.first }) {
      if utf8[found...].starts(with: searched.utf8) {
        return found..<utf8.index(found, offsetBy: searched.utf8.count)
      }
      start = utf8.index(after: found)
    }
    return nil
  }

  /// Returns the text with each occurrence of the bytes of another replaced.
  @inlinable package func replacing(bytes searched: String, with replacement: some StringProtocol) -> String {
    var (replaced, rest) = ("", self[...])
    while let found = rest.firstRange(ofBytes: searched) {
      replaced += rest[..<found.lowerBound]
      replaced += replacement
      rest = rest[found.upperBound...]
    }
    return replaced + rest
  }

  // MARK: - Sets of ASCII characters

  /// Returns whether one of these characters occurs in the text.
  @inlinable package func contains(anyOf set: String) -> Bool { utf8.contains { set.utf8.contains($0) } }

  /// Returns the first place of one of these characters; nil if none occurs.
  @inlinable package func firstIndex(ofAny set: String) -> Index? { utf8.firstIndex { set.utf8.contains($0) } }

  /// Returns the last place of one of these characters; nil if none occurs.
  @inlinable package func lastIndex(ofAny set: String) -> Index? {
    unicodeScalars.lastIndex { set.unicodeScalars.contains($0) }
  }

  /// Returns the text before the first of these characters.
  @inlinable package func prefix(upToAny set: String) -> SubSequence { self[..<(firstIndex(ofAny: set) ?? endIndex)] }

  /// Returns the text after one byte at a place.
  @inlinable package func suffix(after place: Index) -> SubSequence { self[utf8.index(after: place)...] }

  /// Returns the text without these characters at its beginning.
  @inlinable package func drop(anyOf set: String) -> SubSequence {
    self[(utf8.firstIndex { !set.utf8.contains($0) } ?? endIndex)...]
  }

  /// Returns the text without these characters at its beginning and its end.
  @inlinable package func trimming(anyOf set: String) -> SubSequence {
    let rest = drop(anyOf: set)
    let last = unicodeScalars.lastIndex { !set.unicodeScalars.contains($0) }
    return rest[..<(last.map { unicodeScalars.index(after: $0) } ?? endIndex)]
  }

  /// Returns the parts of the text between these characters.
  @inlinable package func split(
    atAny set: String, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [SubSequence] {
    utf8.split(maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences) { set.utf8.contains($0) }
      .map { self[$0.startIndex..<$0.endIndex] }
  }
}
