extension SecretScanner {
  // MARK: - Lines

  /// Reads the value behind a name and a colon, or behind an equals sign with spaces: in YAML, a header or a sentence.
  ///
  /// In a sentence, a value is a secret if it looks like one: `token: expired` is not.
  mutating func takeLine(of name: Name, isAssigned: Bool) {
    guard isUnmistakable(name.text), !isHere("‹") else { return }
    let line = index
    if lineEnd <= line { lineEnd = end { "\r\n\"<".utf8.contains($0) } }
    let plain = SecretNames.plain(name.text)
    let isAlone = isAlone(name)
    let isSentence = isAlone && bytes[line..<lineEnd].contains(UInt8(ascii: " "))
    if isAlone, plain.ends(withBytes: "cookie") || plain.ends(withBytes: "authorization") {
      // The scheme is not a secret.
      if plain.ends(withBytes: "authorization"), isSentence { index = end { $0 == UInt8(ascii: " ") } + 1 }
      return isHere("‹") ? () : take(to: lineEnd, of: name.text)
    }
    let isPassword = ["pass", "secret", "pwd"].contains { plain.contains($0) }
    if isAlone, isPassword || isAssigned && !isSentence, !SecretScanner.isConstant(bytes[line..<lineEnd]) {
      return take(to: lineEnd, of: name.text)
    }
    let near = bytes[line...].prefix(SecretScanner.longestWord)
    let word = near.prefix { !" \t\r\n,;\"'<>)}]&".utf8.contains($0) }
    if SecretScanner.isCredential(word) { take(to: end { " \t\r\n,;\"'<>)}]&".utf8.contains($0) }, of: name.text) }
  }

  /// Whether a name is the first word of its line, except for the mark of a list.
  private func isAlone(_ name: Name) -> Bool {
    let before = bytes[max(0, name.start - 64)..<name.start].reversed().prefix { $0 != UInt8(ascii: "\n") }
    let isStart = before.count == min(name.start, 64) ? name.start <= 64 : true
    return isStart
      && (before.allSatisfy { " \t-*>#\r".utf8.contains($0) } || before.reversed().elementsEqual("export ".utf8))
  }

  /// Whether a word looks like a credential rather than a word of a language.
  private static func isCredential(_ word: ArraySlice<UInt8>) -> Bool {
    isUnbroken(word) && (word.count >= 24 || word.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  }

  // MARK: - XML

  /// Reads the beginning of a tag.
  mutating func takeTag() {
    let isEnd = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
    let start = index + (isEnd ? 2 : 1)
    let raw = bytes[min(start, bytes.count)...].prefix(128).prefix {
      SecretScanner.isWord($0) || $0 == UInt8(ascii: ":")
    }
    index = max(start, raw.endIndex)
    index = min(index, bytes.count)
    let name = String(decoding: raw, as: UTF8.self)
    element.isInTag = true
    if isEnd {
      if element.name == name { element.name = nil }
      return
    }
    // The name behind the prefix of a namespace.
    let local = name.split(atAny: ":").last.map(String.init) ?? ""
    guard isUnmistakable(local) else { return }
    element.name = name
    element.isNew = true
  }

  /// Reads the end of a tag, and the text behind it if the element has the name of a secret.
  mutating func takeTagEnd() {
    let isEmpty = bytes[index - 1] == UInt8(ascii: "/")
    index += 1
    element.isInTag = false
    guard let name = element.name else { return }
    let isNew = element.isNew
    element.isNew = false
    if isNew, isEmpty { element.name = nil }
    guard !isEmpty else { return }
    let space = bytes[index...].prefix { " \t\r\n".utf8.contains($0) }
    let begin = space.endIndex
    if bytes[begin...].starts(with: "<![CDATA[".utf8) {
      index = begin + 9
      return take(to: end { "]<".utf8.contains($0) }, of: name)
    }
    let end = bytes[begin...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    // Not a tag, but a part of a formula or of a program, unless the element ends behind the text.
    guard end + 1 >= bytes.count || bytes[end + 1] == UInt8(ascii: "/") else { return }
    let text = bytes[begin..<end]
    let length = text.count - text.reversed().prefix { " \t\r\n".utf8.contains($0) }.count
    guard isNew || SecretScanner.isUnbroken(text.prefix(length)), !text.starts(with: "‹".utf8) else { return }
    index = begin
    take(to: begin + length, of: name)
  }
}
