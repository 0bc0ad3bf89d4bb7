import Synchronization

/// Secrets that are redacted by their value anywhere in a text.
///
/// They are found plain; with any characters escaped as in a URL, in JSON or in HTML, also repeatedly; in hexadecimal
/// digits; and in Base64, also within the Base64 of a longer text. They are not found in a text that is compressed,
/// encrypted or encoded in another way, nor are their parts.
package final class KnownSecrets: Sendable {
  private struct State {
    /// The secrets, with the order in which they were added last.
    var values: [String: Int] = [:]
    var count = 0
    /// The secrets as they are written in a text.
    var plain = SecretForms()
    /// The secrets and their encodings in a text whose escapes are decoded.
    var decoded = SecretForms()

    mutating func index(_ value: String, shortest: Int) {
      let bytes = Array(value.utf8)
      plain.insert(.init(bytes))
      let unescaped = UnescapedText(bytes, isFolded: true).bytes
      // Decoded, it could be a common word.
      decoded.insert(.init(unescaped.count >= shortest ? unescaped : bytes))
      for form in SecretForms.encodings(of: bytes) { decoded.insert(form) }
    }

    /// Forgets all secrets but the newest.
    mutating func forgetOld(shortest: Int) {
      let kept = values.sorted { $0.value > $1.value }.prefix(KnownSecrets.most)
      values = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
      (plain, decoded) = (SecretForms(), SecretForms())
      for value in values.keys { index(value, shortest: shortest) }
    }
  }

  /// More than a login and its requests use. A long-running program keeps at least this number of the newest.
  private static let most = 128
  private static let mark = Array("‹redacted›".utf8)

  /// The length from which a value is not a common word, in bytes.
  static let wordLimit = 8

  private let shortest: Int
  private let wholeWordsBelow: Int
  private let state = Mutex(State())

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - shortest: the minimum length in bytes; a shorter value is not added, because it could be a common word.
  ///   - wholeWordsBelow: the length below which a value is replaced only if it is a whole word: with letters or digits
  ///     neither before nor after it.
  package init(shortest: Int = wordLimit, wholeWordsBelow: Int = 0) {
    self.shortest = shortest
    self.wholeWordsBelow = wholeWordsBelow
  }

  /// Creates the list for a server's text, which also contains short secrets, such as a PIN, as whole words.
  ///
  /// It must not be used for the program's own text, in which a replaced word would reveal that it is the secret.
  package convenience init(inServerText secrets: [String]) {
    self.init(shortest: 3, wholeWordsBelow: KnownSecrets.wordLimit)
    for secret in secrets { add(secret) }
  }

  /// Adds a secret.
  package func add(_ value: some StringProtocol) {
    let value = String(value)
    guard value.utf8.count >= max(1, shortest) else { return }
    state.withLock { state in
      state.count += 1
      guard state.values.updateValue(state.count, forKey: value) == nil else { return }
      state.index(value, shortest: max(1, shortest))
      if state.values.count > 2 * KnownSecrets.most { state.forgetOld(shortest: max(1, shortest)) }
    }
  }

  /// Returns the text without the secrets, in linear time. It compares bytes, so that a combining mark after a secret
  /// does not hide it.
  ///
  /// - Parameter isCut: whether the text may end within a secret, whose beginning is then replaced, too.
  package func redacting(_ text: String, isCut: Bool = false) -> String {
    let (plain, decoded) = state.withLock { ($0.plain, $0.decoded) }
    guard !plain.isEmpty else { return text }
    let bytes = isCut ? UnescapedText.withoutPartialEscape(Array(text.utf8)) : Array(text.utf8)
    let view = UnescapedText(bytes, isFolded: true)
    var found = decoded.ranges(in: view.bytes, isCut: isCut) { isWord($0, view) }.map { view.original($0) }
    if view.isChanged {
      let original = UnescapedText(unchanged: bytes)
      found += plain.ranges(in: bytes, isCut: isCut) { isWord($0, original) }
    }
    guard !found.isEmpty else { return text }
    var shown: [UInt8] = []
    var index = 0
    for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound >= index { shown += bytes[index..<range.lowerBound] + KnownSecrets.mark }
      index = max(index, range.upperBound)
    }
    return String(decoding: shown + bytes[index...], as: UTF8.self)
  }

  /// Whether a part of a text may be a secret: if it is short, it must be a whole word.
  private func isWord(_ range: Range<Int>, _ text: UnescapedText) -> Bool {
    guard range.count < wholeWordsBelow else { return true }
    func isJoined(_ inner: Int, _ outer: Int) -> Bool {
      guard text.bytes.indices.contains(outer), KnownSecrets.isWord(text.bytes[outer]) else { return false }
      return text.areAdjacent(min(inner, outer), max(inner, outer))
    }
    return !isJoined(range.lowerBound, range.lowerBound - 1) && !isJoined(range.upperBound - 1, range.upperBound)
  }

  /// Whether a byte belongs to a letter, a digit, or a character beyond ASCII.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: false
    }
  }
}
