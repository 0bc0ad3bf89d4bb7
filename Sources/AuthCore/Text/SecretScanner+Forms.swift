extension SecretScanner {
  /// Reads the user information of a URL: `https://user:password@host`.
  mutating func takeAuthority() {
    index += 3
    var end = end { SecretScanner.endsAuthority($0) }
    // A password with a slash or another such character: what follows the colon is not a port.
    let port = bytes[index..<end].split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    let isPort =
      port.count < 2 || port[0].first == UInt8(ascii: "[") || port[1].allSatisfy { (0x30...0x39).contains($0) }
    if !isPort {
      end = bytes[index...].prefix(SecretScanner.longestWord).prefix { !" \t\r\n\"'<>".utf8.contains($0) }.endIndex
    }
    guard let at = bytes[index..<end].lastIndex(of: UInt8(ascii: "@")) else { return }
    take(to: at, of: "")
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: " "), UInt8(ascii: "\t"),
      UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
      UInt8(ascii: ">"):
      true
    default: false
    }
  }

  /// Reads the user information of an address without a scheme in a message: `'user:password@host'`.
  mutating func takeQuotedAuthority() {
    index += 1
    let text = bytes[index...].prefix(SecretScanner.longestName * 4).prefix {
      $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "'")
    }
    guard text.endIndex < bytes.count, bytes[text.endIndex] == UInt8(ascii: "'"),
      let at = text.lastIndex(of: UInt8(ascii: "@")), text[..<at].contains(UInt8(ascii: ":")),
      !SecretScanner.isURL(text)
    else { return }
    take(to: at, of: "")
  }

  /// Reads a private key in PEM (RFC 7468, section 10), also if it is cut.
  mutating func takePrivateKey() {
    let near = bytes[index...].prefix(SecretScanner.longestName / 2)
    index += 10
    // In a form, `+` is a space.
    let label = String(decoding: near.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    guard let begin = label.firstRange(ofBytes: "PRIVATE KEY-----") else { return }
    index = near.startIndex + label[..<begin.upperBound].utf8.count
    // Limited, because few keys are longer; then more than the key is taken.
    let limit = min(bytes.count, index + 4 << 10)
    let close = (index..<limit).first { bytes[$0] == UInt8(ascii: "-") && bytes[$0...].starts(with: "-----END".utf8) }
    take(to: close ?? end { "\"<".utf8.contains($0) }, of: "private_key")
  }

  /// Reads a word: takes a JWT, and text after the name of a scheme if it looks like a credential.
  mutating func takeWord() {
    let end = end { !SecretScanner.isWord($0) }
    let word = bytes[index..<end]
    if word.starts(with: "eyJ".utf8), word.count >= 20, word.contains(UInt8(ascii: ".")) {
      return take(to: end, of: "")
    }
    let initial = bytes[word.startIndex] | 0x20
    let isScheme =
      (initial == UInt8(ascii: "b") || initial == UInt8(ascii: "d")) && (4...6).contains(word.count)
      && ["bearer", "basic", "dpop"].contains(String(decoding: word, as: UTF8.self).lowercased())
    index = end
    guard isScheme, end < bytes.count, bytes[end] == UInt8(ascii: " ") else { return }
    index += 1
    let credential = bytes[index...].prefix { SecretScanner.isWord($0) || "+/".utf8.contains($0) }
    let padding = bytes[credential.endIndex...].prefix(3).prefix { $0 == UInt8(ascii: "=") }
    let isQuoted = padding.endIndex < bytes.count && bytes[padding.endIndex] == UInt8(ascii: "\"") && !padding.isEmpty
    let isWord = credential.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    guard credential.count >= 8, !isWord, !isQuoted else { return }
    take(to: padding.endIndex, of: "")
  }
}
