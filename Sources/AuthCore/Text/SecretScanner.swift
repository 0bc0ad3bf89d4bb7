/// Finds secrets in a text by the names that indicate them and by their forms, in one pass and without a parser.
///
/// It finds the values of names that ``SecretNames`` knows: `name=value`, `"name": value` (also the texts within an
/// object or an array), `name: value` and `name = value` in lines, `<name>value</name>`. By their forms it finds the
/// user information of a URL, credentials after `Bearer`, `Basic` and `DPoP`, JWTs, private keys in PEM, and the
/// private members of a JWK (RFC 7518, section 6).
struct SecretScanner {
  /// The place of a secret.
  struct Match {
    let range: Range<Int>
    /// The name that indicates it; empty if its form does.
    let name: String
  }

  /// The maximum length of a name in bytes.
  static let longestName = 128
  /// The maximum length of what is searched for its end and then perhaps not taken, so that the time is linear.
  static let longestWord = 1024

  let bytes: [UInt8]
  private let furtherNames: Set<String>
  private(set) var matches: [Match] = []
  var index = 0
  /// The name of the value in JSON whose texts are secrets, and the number of brackets that are open in it.
  private var container: Container?
  /// The element of XML that was read last.
  var element = Element()
  /// The end of the line that was searched last.
  var lineEnd = 0
  /// Whether the text has the member of a JWK that states its type; nil if unknown.
  private var hasKeyType: Bool?

  private struct Container {
    /// The name of the member that was read last.
    var member: String
    var openBrackets = 0
  }

  /// The state of the search in XML.
  struct Element {
    /// The name of the element whose texts are secrets; nil outside of one.
    var name: String?
    /// Whether its content has just begun.
    var isNew = false
    /// Whether a tag is open.
    var isInTag = false
  }

  /// Searches a text.
  ///
  /// - Parameter furtherNames: names of secrets in addition to those that ``SecretNames`` knows, each in its `plain`
  ///   form.
  init(_ text: [UInt8], _ furtherNames: Set<String>) {
    bytes = text
    self.furtherNames = furtherNames
    read()
  }

  private mutating func read() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ":") where isHere("://"): takeAuthority()
      case UInt8(ascii: ":"), UInt8(ascii: "="): takeSeparator()
      case UInt8(ascii: "\"") where container != nil: takeContainedText()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        container?.openBrackets += 1
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        container?.openBrackets -= 1
        if let container, container.openBrackets <= 0 { self.container = nil }
        index += 1
      case UInt8(ascii: "<"): takeTag()
      case UInt8(ascii: ">") where element.isInTag: takeTagEnd()
      case UInt8(ascii: "'"): takeQuotedAuthority()
      case UInt8(ascii: "-") where isHere("-----BEGIN"): takePrivateKey()
      case let byte where isWordBegin(byte): takeWord()
      default: index += 1
      }
    }
  }

  func isHere(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

  /// Takes a secret from the current position to the end, and continues there.
  mutating func take(to end: Int, of name: String) {
    guard end > index else { return }
    matches.append(Match(range: index..<end, name: name))
    index = end
  }

  func isSecret(_ name: String) -> Bool { SecretNames.isSecret(name, or: furtherNames) }

  /// Whether a name indicates a secret also where any word may precede a colon or a text: `code`, `key` and `state`
  /// have other meanings, too.
  func isUnmistakable(_ name: String) -> Bool {
    let plain = SecretNames.plain(name)
    return isSecret(name) && (!["code", "key", "state"].contains(plain) || furtherNames.contains(plain))
  }

  func end(_ isEnd: (UInt8) -> Bool) -> Int { bytes[index...].firstIndex(where: isEnd) ?? bytes.count }

  // MARK: - Names and values

  /// A name before `=` or `:`.
  struct Name {
    let text: String
    let start: Int
    let isQuoted: Bool
    /// Whether it ends at the separator, without a space.
    let isJoined: Bool
  }

  private mutating func takeSeparator() {
    let separator = index
    index += 1
    guard let name = name(before: separator) else { return }
    let isShort = name.text.utf8.count <= 2
    let isPrivateMember = isShort && name.isQuoted && SecretScanner.privateMembers.contains(name.text)
    guard isPrivateMember || isSecret(name.text) else { return }
    // `=>`, `:=` and `==`
    let isLong = index < bytes.count && (bytes[index] == UInt8(ascii: ">") || bytes[index] == UInt8(ascii: "="))
    let start = skipSpace(from: index + (isLong ? 1 : 0), lines: name.isQuoted)
    let backslashes = bytes[start...].prefix { $0 == UInt8(ascii: "\\") }.count
    let value = start + backslashes
    guard value < bytes.count else { return }
    switch bytes[value] {
    case UInt8(ascii: "\""):
      let close = closingQuote(from: value + 1, backslashes)
      guard !isPrivateMember || isPrivateKeyPart(bytes[(value + 1)..<close.end]) else { return }
      index = value + 1
      take(to: close.end, of: isPrivateMember ? "private_key" : name.text)
      // The closing mark begins no other text.
      index = close.next
    case _ where isPrivateMember: return
    case UInt8(ascii: "'"):
      index = value + 1
      take(to: end { $0 == UInt8(ascii: "'") }, of: name.text)
    case UInt8(ascii: "{") where name.isQuoted, UInt8(ascii: "[") where name.isQuoted:
      container = Container(member: name.text, openBrackets: container?.openBrackets ?? 0)
      index = value
    case _ where name.isQuoted:
      index = start
      let end = end { ",}] \t\r\n\"".utf8.contains($0) }
      if !SecretScanner.isConstant(bytes[index..<end]) { take(to: end, of: name.text) }
    case _ where bytes[separator] == UInt8(ascii: "=") && name.isJoined && bytes[separator + 1] != UInt8(ascii: " "):
      index = isLong ? start : separator + 1
      take(to: end { "&# \t\r\n\"'<>".utf8.contains($0) }, of: name.text)
    default:
      index = start
      takeLine(of: name, isAssigned: bytes[separator] == UInt8(ascii: "="))
    }
  }

  /// Returns the name that ends before a separator.
  private func name(before separator: Int) -> Name? {
    let limit = max(0, separator - 8)
    var end = separator
    while end > limit, SecretScanner.isSpace(bytes[end - 1]) { end -= 1 }
    let spaces = separator - end
    guard end > 0 else { return nil }
    let quote = bytes[end - 1]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let near = bytes[max(0, end - 1 - SecretScanner.longestName)..<end - 1]
      guard let open = near.lastIndex(of: quote) else { return nil }
      // In JSON within JSON, a backslash precedes the quotation mark.
      let text = String(decoding: near[(open + 1)...].filter { $0 != UInt8(ascii: "\\") }, as: UTF8.self)
      return Name(text: text, start: open, isQuoted: true, isJoined: spaces == 0)
    }
    let earliest = max(0, end - SecretScanner.longestName)
    var start = end
    while start > earliest, SecretScanner.isName(bytes[start - 1]) { start -= 1 }
    guard start < end else { return nil }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    return Name(text: text, start: start, isQuoted: false, isJoined: spaces == 0)
  }

  /// Whether a byte is white space; in a form, `+` is a space.
  private static func isSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "+"): true
    default: false
    }
  }

  private func skipSpace(from place: Int, lines: Bool) -> Int {
    // Limited, because no real text has more space.
    let near = bytes[min(place, bytes.count)...].prefix(SecretScanner.longestName)
    // In a form, `+` is a space.
    return near.startIndex + near.prefix { lines ? " \t\r\n".utf8.contains($0) : " \t+".utf8.contains($0) }.count
  }

  /// The end of a quoted text.
  private struct Close {
    /// The end of the text.
    let end: Int
    /// The position behind the quotation mark.
    let next: Int
  }

  /// Returns where a quoted text ends. In JSON within JSON, each quotation mark is preceded by as many backslashes as
  /// the first.
  private func closingQuote(from start: Int, _ depth: Int) -> Close {
    var backslashes = 0
    for place in start..<bytes.count {
      let isEnd = depth == 0 ? backslashes % 2 == 0 : backslashes <= depth
      if bytes[place] == UInt8(ascii: "\""), isEnd {
        return Close(end: depth == 0 ? place : place - backslashes, next: place + 1)
      }
      backslashes = bytes[place] == UInt8(ascii: "\\") ? backslashes + 1 : 0
    }
    return Close(end: bytes.count, next: bytes.count)
  }

  // MARK: - Objects with the name of a secret

  /// Reads a text within an object or array that has the name of a secret.
  private mutating func takeContainedText() {
    guard let container else { return }
    let depth = bytes[max(0, index - 8)..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
    let close = closingQuote(from: index + 1, depth)
    let text = bytes[(index + 1)..<max(index + 1, close.end)]
    let next = skipSpace(from: close.next, lines: true)
    if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
      self.container?.member = String(decoding: text, as: UTF8.self)
      index = next
      return
    }
    let isAccepted = SecretNames.mayBeSecret(container.member) && SecretScanner.isUnbroken(text)
    if isSecret(container.member) || isAccepted {
      index += 1
      take(to: close.end, of: container.member)
    } else {
      for match in SecretScanner(Array(text), furtherNames).matches {
        let range = match.range.lowerBound + text.startIndex..<match.range.upperBound + text.startIndex
        matches.append(Match(range: range, name: match.name))
      }
    }
    index = max(index, close.next)
  }

  // MARK: - JWK

  /// The members of a JWK that must not be known (RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1).
  static let privateMembers: Set<String> = ["d", "dp", "dq", "k", "p", "q", "qi"]

  /// Whether the value of a private member may be a part of a key, in a text with a JWK.
  private mutating func isPrivateKeyPart(_ value: ArraySlice<UInt8>) -> Bool {
    guard value.count >= 16, value.allSatisfy({ SecretScanner.isWord($0) }) else { return false }
    let isKey = hasKeyType ?? bytes.contains(bytes: "kty".utf8)
    hasKeyType = isKey
    return isKey
  }

  // MARK: - Bytes

  private func isWordBegin(_ byte: UInt8) -> Bool {
    SecretScanner.isWord(byte) && (index == 0 || !SecretScanner.isWord(bytes[index - 1]))
  }

  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  static func isName(_ byte: UInt8) -> Bool {
    isWord(byte) || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
  }

  /// Whether a text stands for the absence of a value, or is a truth value.
  static func isConstant(_ text: ArraySlice<UInt8>) -> Bool {
    ["null", "true", "false", "none", "nil", "undefined", "~"].contains { text.elementsEqual($0.utf8) }
  }

  /// Whether a text is long, without spaces, and not a URL.
  static func isUnbroken(_ text: ArraySlice<UInt8>) -> Bool {
    text.count >= 8 && !text.contains { $0 <= UInt8(ascii: " ") } && !isURL(text)
  }

  static func isURL(_ text: ArraySlice<UInt8>) -> Bool {
    text.contains(bytes: "://".utf8)
  }
}
