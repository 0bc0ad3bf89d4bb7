/// Redacts secrets in a text of any form (a URL, a form, JSON, HTML, a libcurl message) in linear time.
///
/// It redacts the values of names that ``SecretNames`` knows (`name=value`, `"name": value`), the user information of a
/// URL, credentials after `Bearer`, `Basic` and `DPoP`, and every JWT.
package struct SecretText {
  /// The maximum length of a name in bytes.
  private static let longestName = 128

  /// A secret in a text.
  package struct Found {
    /// The name that indicates it; empty if its form does.
    package let name: String
    /// The secret as it is written in the text.
    package let value: String
  }

  private let bytes: [UInt8]
  private let furtherNames: Set<String>
  private let mark: (Found) -> String
  private var shown: [UInt8] = []
  private var secrets: [String] = []
  private var index = 0

  /// Returns the text without its secrets.
  ///
  /// - Parameter furtherNames: names of secrets in addition to those that ``SecretNames`` knows, each in its `plain`
  ///   form.
  /// - Parameter mark: returns the replacement for a secret.
  package static func redacted(
    _ text: String, or furtherNames: Set<String> = [], as mark: (Found) -> String = { _ in "‹redacted›" }
  ) -> String {
    withoutActuallyEscaping(mark) { mark in
      String(decoding: SecretText(text, furtherNames, mark).shown, as: UTF8.self)
    }
  }

  /// Returns the secrets in the text, as they are written there.
  static func secrets(in text: String, or furtherNames: Set<String> = []) -> [String] {
    SecretText(text, furtherNames) { _ in "" }.secrets
  }

  /// Returns the text without long runs of characters, which may be tokens.
  package static func withoutLongWords(_ text: String) -> String {
    var shown = ""
    var run: [Unicode.Scalar] = []
    func end() {
      let isToken = run.count >= 32 || run.count >= 20 && run.contains { ("0"..."9").contains($0) }
      if isToken { shown += "‹redacted›" } else { shown.unicodeScalars.append(contentsOf: run) }
      run = []
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "~", "+": run.append(scalar)
      default:
        end()
        shown.unicodeScalars.append(scalar)
      }
    }
    end()
    return shown
  }

  private init(_ text: String, _ furtherNames: Set<String>, _ mark: @escaping (Found) -> String) {
    bytes = Array(text.utf8)
    self.furtherNames = furtherNames
    self.mark = mark
    read()
  }

  private mutating func read() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "="): takeAssignment()
      case UInt8(ascii: "\""): takeMember()
      case UInt8(ascii: ":") where bytes[index...].starts(with: "://".utf8): takeAuthority()
      case let byte where isWordBegin(byte): takeWord()
      default: copy(to: index + 1)
      }
    }
  }

  private mutating func copy(to end: Int) {
    shown += bytes[index..<end]
    index = end
  }

  private mutating func redact(to end: Int, of name: [UInt8] = []) {
    guard end > index else { return }
    let value = String(decoding: bytes[index..<end], as: UTF8.self)
    shown += mark(Found(name: String(decoding: name, as: UTF8.self), value: value)).utf8
    secrets.append(value)
    index = end
  }

  // MARK: - name=value

  private mutating func takeAssignment() {
    let name = bytes[max(0, index - SecretText.longestName)..<index].reversed().prefix { SecretText.isName($0) }
    copy(to: index + 1)
    let whole = Array(name.reversed())
    guard isSecret(whole), index < bytes.count else { return }
    let quote = bytes[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      copy(to: index + 1)
      redact(to: end { $0 == quote }, of: whole)
    } else {
      redact(to: end { "&# \t\r\n\"'<>".utf8.contains($0) }, of: whole)
    }
  }

  // MARK: - "name": value

  /// Reads a quotation mark; if it starts the name of a secret member, the value is redacted. In JSON within JSON, each
  /// mark is preceded by as many backslashes as the first.
  private mutating func takeMember() {
    let depth = backslashes(before: index)
    let start = index + 1
    copy(to: start)
    let limit = min(bytes.count, start + SecretText.longestName)
    guard let close = bytes[start..<limit].firstIndex(of: UInt8(ascii: "\"")) else { return }
    let name = bytes[start..<close].filter { $0 != UInt8(ascii: "\\") }
    var next = skipSpace(from: close + 1)
    guard next < bytes.count, bytes[next] == UInt8(ascii: ":"),
      isSecret(name)
    else { return }
    next = skipSpace(from: next + 1)
    let value = next + (bytes[next...].prefix { $0 == UInt8(ascii: "\\") }.count)
    guard value < bytes.count else { return copy(to: bytes.count) }
    switch bytes[value] {
    case UInt8(ascii: "\""):
      copy(to: value + 1)
      redact(to: closingQuote(depth), of: name)
    case UInt8(ascii: "{"): copy(to: value)
    case UInt8(ascii: "["):
      copy(to: value + 1)
      redact(to: end { $0 == UInt8(ascii: "]") }, of: name)
    default:
      copy(to: next)
      redact(to: end { ",}] \t\r\n".utf8.contains($0) }, of: name)
    }
  }

  private func closingQuote(_ depth: Int) -> Int {
    var slashes = 0
    for place in index..<bytes.count {
      if bytes[place] == UInt8(ascii: "\""), slashes <= depth { return place - slashes }
      slashes = bytes[place] == UInt8(ascii: "\\") ? slashes + 1 : 0
    }
    return bytes.count
  }

  private func backslashes(before place: Int) -> Int {
    bytes[max(0, place - 8)..<place].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
  }

  private func skipSpace(from place: Int) -> Int {
    // Limited, because no real text has more space.
    place + bytes[place...].prefix(SecretText.longestName).prefix { " \t\r\n".utf8.contains($0) }.count
  }

  // MARK: - https://user:password@host

  private mutating func takeAuthority() {
    copy(to: index + 3)
    let authority = bytes[index..<end { "/?# \t\r\n\"'<>".utf8.contains($0) }]
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return }
    redact(to: at)
  }

  // MARK: - Words

  /// Reads a word: redacts a JWT, and text after the name of a scheme if it looks like a credential.
  private mutating func takeWord() {
    let end = end { !SecretText.isWord($0) }
    let word = bytes[index..<end]
    if word.starts(with: "eyJ".utf8), word.count >= 20, word.contains(UInt8(ascii: ".")) { return redact(to: end) }
    let isScheme = ["bearer", "basic", "dpop"].contains(String(decoding: word, as: UTF8.self).lowercased())
    copy(to: end)
    guard isScheme, end < bytes.count, bytes[end] == UInt8(ascii: " ") else { return }
    copy(to: end + 1)
    let credential = bytes[index...].prefix { SecretText.isWord($0) || "+/".utf8.contains($0) }
    let padding = bytes[credential.endIndex...].prefix(3).prefix { $0 == UInt8(ascii: "=") }
    let isQuoted = padding.endIndex < bytes.count && bytes[padding.endIndex] == UInt8(ascii: "\"")
    let isWord = credential.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    guard credential.count >= 8, !isWord, !isQuoted else { return }
    redact(to: padding.endIndex)
  }

  private func isWordBegin(_ byte: UInt8) -> Bool {
    SecretText.isWord(byte) && (index == 0 || !SecretText.isWord(bytes[index - 1]))
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private func isSecret(_ name: [UInt8]) -> Bool {
    SecretNames.isSecret(String(decoding: name, as: UTF8.self), or: furtherNames)
  }

  private static func isName(_ byte: UInt8) -> Bool { isWord(byte) || "%[]".utf8.contains(byte) }

  private func end(where isEnd: (UInt8) -> Bool) -> Int {
    bytes[index...].firstIndex(where: isEnd) ?? bytes.count
  }
}
