/// Finds secrets in a text by the names that indicate them and by their forms, in one pass and in linear time.
///
/// One rule is for names: a name that ``SecretNames`` knows, a colon or an equals sign, and a value. It holds in forms,
/// URLs and JSON, whole or cut, and wherever they are quoted. Within an object, an array or an element of XML with the
/// name of a secret, all long texts are secrets. By their forms it finds the user information of a URL, credentials
/// after `Bearer`, `Basic` and `DPoP`, JWTs, private keys in PEM, and the private members of a JWK.
struct SecretScanner {
  /// The maximum length of a name in bytes.
  static let longestName = 128
  /// The maximum length of what is searched for its end and then perhaps not taken, so that the time is linear.
  static let longestWord = 1024

  let bytes: [UInt8]
  private let furtherNames: Set<String>
  private(set) var matches: [SecretMatch] = []
  var index = 0
  /// The value in JSON with the name of a secret that is being read: the name of the member that was read last, and the
  /// number of brackets that are open.
  private var container: (member: String, openBrackets: Int)?
  /// The end of the text in it that was read last.
  private var textEnd = 0
  /// The element of XML with the name of a secret that is being read.
  var element: String?
  /// Whether the tag that is being read begins that element; nil outside of a tag.
  var tag: Bool?
  /// The end of the line that was searched last.
  var lineEnd = 0
  private lazy var hasKeyType = bytes.contains(bytes: "kty".utf8)

  /// Searches a text.
  ///
  /// - Parameter furtherNames: names of secrets in addition to those that ``SecretNames`` knows, each in its `plain`
  ///   form.
  init(_ text: [UInt8], _ furtherNames: Set<String>) {
    bytes = text
    self.furtherNames = furtherNames
    while index < bytes.count { readNext() }
  }

  private mutating func readNext() {
    switch bytes[index] {
    case UInt8(ascii: ":") where isHere("://"): takeUserInformation()
    case UInt8(ascii: ":"), UInt8(ascii: "="): takeNamed()
    case UInt8(ascii: "\"") where container != nil && index >= textEnd: takeContained()
    case UInt8(ascii: "{"), UInt8(ascii: "["): countBracket(1)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): countBracket(-1)
    case UInt8(ascii: "<"): takeTag()
    case UInt8(ascii: ">") where tag != nil: takeTagEnd()
    case UInt8(ascii: "'"): takeQuotedUserInformation()
    case UInt8(ascii: "-") where isHere("-----BEGIN"): takePrivateKey()
    case let byte where SecretScanner.isWord(byte) && (index == 0 || !SecretScanner.isWord(bytes[index - 1])):
      takeWord()
    default: index += 1
    }
  }

  func isHere(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

  /// Takes a secret from the current position to the end, and continues there.
  mutating func take(to end: Int, of name: String) {
    guard end > index else { return }
    matches.append(SecretMatch(range: index..<end, name: name))
    index = end
  }

  /// Returns the next place of one of these characters.
  func end(ofAny set: String) -> Int { bytes[index...].firstIndex { set.utf8.contains($0) } ?? bytes.count }

  /// Returns the place behind white space; limited, because no real text has more of it.
  func skip(_ space: String, from place: Int) -> Int {
    let near = bytes[min(place, bytes.count)...].prefix(SecretScanner.longestName)
    return near.firstIndex { !space.utf8.contains($0) } ?? near.endIndex
  }

  /// Whether a name indicates a secret also where any word may precede a colon or a text.
  func isUnmistakable(_ name: String) -> Bool { SecretNames.isUnmistakable(name, or: furtherNames) }

  // MARK: - Names and values

  /// A name before `=` or `:`.
  struct Name {
    let text: String
    let start: Int
    let isQuoted: Bool
    /// Whether it ends at the separator, without a space.
    let isJoined: Bool
  }

  /// Reads the value behind a colon or an equals sign, if there is the name of a secret before it.
  private mutating func takeNamed() {
    let separator = index
    index += 1
    guard let name = name(before: separator) else { return }
    let isKeyMember = name.isQuoted && SecretNames.keyMembers.contains(name.text)
    guard isKeyMember || SecretNames.isSecret(name.text, or: furtherNames) else { return }
    // `=>`, `:=` and `==`
    let isLong = index < bytes.count && (bytes[index] == UInt8(ascii: ">") || bytes[index] == UInt8(ascii: "="))
    // In a form, `+` is a space.
    let start = skip(name.isQuoted ? " \t\r\n" : " \t+", from: index + (isLong ? 1 : 0))
    let value = bytes[start...].firstIndex { $0 != UInt8(ascii: "\\") } ?? bytes.count
    guard value < bytes.count else { return }
    switch bytes[value] {
    case UInt8(ascii: "\""):
      let close = closingQuote(from: value + 1, value - start)
      guard !isKeyMember || isPartOfKey(bytes[(value + 1)..<close.lowerBound]) else { return }
      index = value + 1
      take(to: close.lowerBound, of: isKeyMember ? "private_key" : name.text)
      // The closing mark begins no other text.
      index = close.upperBound
    case _ where isKeyMember: return
    case UInt8(ascii: "'"):
      index = value + 1
      take(to: end(ofAny: "'"), of: name.text)
    case UInt8(ascii: "{") where name.isQuoted, UInt8(ascii: "[") where name.isQuoted:
      container = (name.text, container?.openBrackets ?? 0)
      index = value
    case _ where name.isQuoted:
      index = start
      let end = end(ofAny: ",}] \t\r\n\"")
      if !SecretScanner.isConstant(bytes[index..<end]) { take(to: end, of: name.text) }
    case _ where bytes[separator] == UInt8(ascii: "=") && name.isJoined && bytes[separator + 1] != UInt8(ascii: " "):
      index = isLong ? start : separator + 1
      take(to: end(ofAny: "&# \t\r\n\"'<>"), of: name.text)
    default:
      index = start
      takeLine(of: name, isAssigned: bytes[separator] == UInt8(ascii: "="))
    }
  }

  /// Returns the name that ends before a separator.
  private func name(before separator: Int) -> Name? {
    let space = bytes[max(0, separator - 9)..<separator]
    guard let last = space.lastIndex(where: { !" \t\r\n+".utf8.contains($0) }) else { return nil }
    let isQuoted = bytes[last] == UInt8(ascii: "\"") || bytes[last] == UInt8(ascii: "'")
    let near = bytes[max(0, last - SecretScanner.longestName)..<last + (isQuoted ? 0 : 1)]
    let before = near.lastIndex { isQuoted ? $0 == bytes[last] : !SecretScanner.isName($0) }
    guard before != nil || !isQuoted else { return nil }
    let start = before.map { $0 + 1 } ?? near.startIndex
    guard start < near.endIndex || isQuoted else { return nil }
    // In JSON within JSON, a backslash precedes the quotation mark.
    let text = near[start...].filter { $0 != UInt8(ascii: "\\") }
    return Name(
      text: String(decoding: text, as: UTF8.self), start: start - (isQuoted ? 1 : 0), isQuoted: isQuoted,
      isJoined: last + 1 == separator)
  }

  /// Returns the quotation mark at the end of a text, with its backslashes. In JSON within JSON, each mark is preceded
  /// by as many backslashes as the first.
  private func closingQuote(from start: Int, _ depth: Int) -> Range<Int> {
    var backslashes = 0
    for place in start..<bytes.count {
      if bytes[place] == UInt8(ascii: "\""), depth == 0 ? backslashes % 2 == 0 : backslashes <= depth {
        return (depth == 0 ? place : place - backslashes)..<place + 1
      }
      backslashes = bytes[place] == UInt8(ascii: "\\") ? backslashes + 1 : 0
    }
    return bytes.count..<bytes.count
  }

  // MARK: - Objects and keys with the name of a secret

  private mutating func countBracket(_ change: Int) {
    if index >= textEnd, let open = container?.openBrackets {
      if open + change > 0 { container?.openBrackets = open + change } else { container = nil }
    }
    index += 1
  }

  /// Reads a text within an object or array that has the name of a secret.
  private mutating func takeContained() {
    guard let member = container?.member else { return }
    let depth = bytes[max(0, index - 8)..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
    index += 1
    let close = closingQuote(from: index, depth)
    let text = bytes[index..<close.lowerBound]
    let next = skip(" \t\r\n", from: close.upperBound)
    if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
      container?.member = String(decoding: text, as: UTF8.self)
      index = next
      return
    }
    textEnd = close.upperBound
    let isPart = SecretNames.mayBeSecret(member) && SecretScanner.isUnbroken(text)
    guard isPart || SecretNames.isSecret(member, or: furtherNames) else { return }
    take(to: close.lowerBound, of: member)
    index = close.upperBound
  }

  /// Whether the value of a private member may be a part of a key, in a text with a JWK.
  private mutating func isPartOfKey(_ value: ArraySlice<UInt8>) -> Bool {
    value.count >= 16 && value.allSatisfy { SecretScanner.isWord($0) } && hasKeyType
  }

  // MARK: - Bytes

  static func isWord(_ byte: UInt8) -> Bool { byte.isAlphanumeric || "-_.~".utf8.contains(byte) }

  private static func isName(_ byte: UInt8) -> Bool { isWord(byte) || "%[]".utf8.contains(byte) }

  /// Whether a text stands for the absence of a value, or is a truth value.
  static func isConstant(_ text: ArraySlice<UInt8>) -> Bool {
    ["null", "true", "false", "none", "nil", "undefined", "~"].contains { text.elementsEqual($0.utf8) }
  }

  /// Whether a text is long, without spaces, and not a URL.
  static func isUnbroken(_ text: ArraySlice<UInt8>) -> Bool {
    text.count >= 8 && !text.contains { $0 <= UInt8(ascii: " ") } && !text.contains(bytes: "://".utf8)
  }
}
