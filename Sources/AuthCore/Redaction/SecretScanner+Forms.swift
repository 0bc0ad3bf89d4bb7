extension SecretScanner {
  // MARK: - Lines and elements

  /// Reads the value behind a name and a colon, or behind an equals sign with spaces, in a text without structure.
  ///
  /// In a line of its own, as in a header or YAML, a password may have spaces. Elsewhere a value is a secret if it
  /// looks like one: `token: expired` is not.
  mutating func takeLine(of name: Name, isAssigned: Bool) {
    guard isUnmistakable(name.text), !isHere("‹") else { return }
    if lineEnd <= index { lineEnd = end(ofAny: "\r\n\"<") }
    let line = bytes[index..<lineEnd]
    if isAlone(name) {
      let words = line.firstIndex(of: UInt8(ascii: " "))
      let hasScheme = SecretNames.hasScheme(name.text)
      // The scheme is not a secret.
      if hasScheme, let words { index = words + 1 }
      if hasScheme || SecretNames.isCookie(name.text) { return isHere("‹") ? () : take(to: lineEnd, of: name.text) }
      let isWhole = SecretNames.isPassword(name.text) || isAssigned && words == nil
      if isWhole, !SecretScanner.isConstant(line) { return take(to: lineEnd, of: name.text) }
    }
    let ends = " \t\r\n,;\"'<>)}]&"
    let word = bytes[index...].prefix(SecretScanner.longestWord).prefix { !ends.utf8.contains($0) }
    let isCredential = word.count >= 24 || word.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if isCredential, SecretScanner.isUnbroken(word) { take(to: end(ofAny: ends), of: name.text) }
  }

  /// Whether a name is the first word of its line, except for the mark of a list.
  private func isAlone(_ name: Name) -> Bool {
    let near = bytes[max(0, name.start - 64)..<name.start]
    let start = near.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? near.startIndex
    guard start == 0 || bytes[start - 1] == UInt8(ascii: "\n") else { return false }
    return near[start...].allSatisfy { " \t-*>#\r".utf8.contains($0) } || near[start...].elementsEqual("export ".utf8)
  }

  /// Reads the name of a tag of XML.
  mutating func takeTag() {
    let isEnd = bytes[(index + 1)...].first == UInt8(ascii: "/")
    let near = bytes[(index + (isEnd ? 2 : 1))...].prefix(SecretScanner.longestName)
    let name = near.prefix { SecretScanner.isWord($0) || $0 == UInt8(ascii: ":") }
    index = name.endIndex
    // The name behind the prefix of a namespace.
    let local = name.split(separator: UInt8(ascii: ":")).last ?? []
    let isSecret = !isEnd && isUnmistakable(String(decoding: local, as: UTF8.self))
    if isEnd, element == String(decoding: name, as: UTF8.self) { element = nil }
    if isSecret { element = String(decoding: name, as: UTF8.self) }
    tag = isSecret || tag == true
  }

  /// Reads the end of a tag of XML, and the text behind it if an element has the name of a secret.
  mutating func takeTagEnd() {
    let isNew = tag == true
    let isEmpty = bytes[index - 1] == UInt8(ascii: "/")
    (tag, index) = (nil, index + 1)
    if isNew, isEmpty { element = nil }
    guard let element, !isEmpty else { return }
    let begin = bytes[index...].firstIndex { !" \t\r\n".utf8.contains($0) } ?? bytes.count
    if bytes[begin...].starts(with: "<![CDATA[".utf8) {
      index = begin + 9
      return take(to: end(ofAny: "]<"), of: element)
    }
    let end = bytes[begin...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    // Not a tag, but a part of a formula or of a program, unless the element ends behind the text.
    guard end + 1 >= bytes.count || bytes[end + 1] == UInt8(ascii: "/"), !bytes[begin...].starts(with: "‹".utf8) else {
      return
    }
    let stop = bytes[begin..<end].lastIndex { !" \t\r\n".utf8.contains($0) }.map { $0 + 1 } ?? begin
    guard isNew || SecretScanner.isUnbroken(bytes[begin..<stop]) else { return }
    index = begin
    take(to: stop, of: element)
  }

  // MARK: - Forms

  /// Reads the user information of a URL: `https://user:password@host`.
  mutating func takeUserInformation() {
    index += 3
    var end = end(ofAny: "/?# \t\r\n\"'<>")
    // A password with a slash or another such character: what follows the colon is not a port.
    let port = bytes[index..<end].split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    let isPort =
      port.count < 2 || port[0].first == UInt8(ascii: "[") || port[1].allSatisfy { (0x30...0x39).contains($0) }
    if !isPort {
      end = bytes[index...].prefix(SecretScanner.longestWord).prefix { !" \t\r\n\"'<>".utf8.contains($0) }.endIndex
    }
    if let at = bytes[index..<end].lastIndex(of: UInt8(ascii: "@")) { take(to: at, of: "") }
  }

  /// Reads the user information of an address without a scheme in a message: `'user:password@host'`.
  mutating func takeQuotedUserInformation() {
    index += 1
    let near = bytes[index...].prefix(SecretScanner.longestWord / 2)
    guard let end = near.firstIndex(where: { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: "'") }),
      bytes[end] == UInt8(ascii: "'"), let at = bytes[index..<end].lastIndex(of: UInt8(ascii: "@")),
      bytes[index..<at].contains(UInt8(ascii: ":")), !bytes[index..<end].contains(bytes: "://".utf8)
    else { return }
    take(to: at, of: "")
  }

  /// Reads a private key in PEM (RFC 7468, section 10), also if it is cut.
  mutating func takePrivateKey() {
    // In a form, `+` is a space.
    let near = bytes[index...].prefix(SecretScanner.longestName / 2).map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
    let label = String(decoding: near, as: UTF8.self)
    guard let begin = label.firstRange(ofBytes: "PRIVATE KEY-----") else { return index += 10 }
    index += label[..<begin.upperBound].utf8.count
    // Limited, because few keys are longer; then more than the key is taken.
    let limit = min(bytes.count, index + 4 << 10)
    let close = (index..<limit).first { bytes[$0] == UInt8(ascii: "-") && bytes[$0...].starts(with: "-----END".utf8) }
    take(to: close ?? end(ofAny: "\"<"), of: "private_key")
  }

  /// Reads a word: takes a JWT, and text after the name of a scheme if it looks like a credential.
  mutating func takeWord() {
    let end = bytes[index...].firstIndex { !SecretScanner.isWord($0) } ?? bytes.count
    let word = bytes[index..<end]
    if word.starts(with: "eyJ".utf8), word.count >= 20, word.contains(UInt8(ascii: ".")) {
      return take(to: end, of: "")
    }
    index = end
    guard (4...6).contains(word.count), end < bytes.count, bytes[end] == UInt8(ascii: " "),
      ["bearer", "basic", "dpop"].contains(String(decoding: word, as: UTF8.self).lowercased())
    else { return }
    index += 1
    let credential = bytes[index...].prefix { SecretScanner.isWord($0) || "+/".utf8.contains($0) }
    let padding = bytes[credential.endIndex...].prefix(3).prefix { $0 == UInt8(ascii: "=") }
    // `Bearer realm="x"`
    let isName = !padding.isEmpty && padding.endIndex < bytes.count && bytes[padding.endIndex] == UInt8(ascii: "\"")
    let isWord = credential.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    if credential.count >= 8, !isWord, !isName { take(to: padding.endIndex, of: "") }
  }
}
