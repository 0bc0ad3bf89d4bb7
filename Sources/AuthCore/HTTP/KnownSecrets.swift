import Synchronization

/// Secrets that are redacted by their value anywhere in a text: plain, percent-encoded, or escaped in JSON.
package final class KnownSecrets: Sendable {
  private struct State {
    /// The secrets, with the order in which they were added last.
    var values: [String: Int] = [:]
    var count = 0
    /// All forms of the newest secrets by their first byte, longest first; nil if secrets were added since.
    var forms: [UInt8: [[UInt8]]]?

    /// Forgets all secrets but the newest.
    mutating func forgetOld() {
      let kept = values.sorted { $0.value > $1.value }.prefix(KnownSecrets.most)
      values = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
  }

  /// More than a login and its requests use. A long-running program keeps only the newest.
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
      if state.values.updateValue(state.count, forKey: value) == nil { state.forms = nil }
      if state.values.count > 2 * KnownSecrets.most { state.forgetOld() }
    }
  }

  /// Returns the text without the secrets, in linear time. It compares bytes, so that a combining mark after a secret
  /// does not hide it.
  ///
  /// - Parameter isCut: whether the text may end within a secret, whose beginning is then replaced, too.
  package func redacting(_ text: String, isCut: Bool = false) -> String {
    let forms = state.withLock { state in
      if let forms = state.forms { return forms }
      state.forgetOld()
      let all = Set(state.values.keys.flatMap { KnownSecrets.forms(of: $0) }).sorted { $0.count > $1.count }
      let forms = Dictionary(grouping: all) { $0[0] }
      state.forms = forms
      return forms
    }
    guard !forms.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if let form = forms[bytes[index]]?.first(where: { isHere($0, bytes, index) }) {
        shown += KnownSecrets.mark
        index += form.count
      } else if isCut, forms[bytes[index]]?.contains(where: { $0.starts(with: bytes[index...]) }) == true {
        shown += KnownSecrets.mark
        index = bytes.count
      } else {
        shown.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  private func isHere(_ form: [UInt8], _ bytes: [UInt8], _ index: Int) -> Bool {
    guard bytes[index...].starts(with: form) else { return false }
    let end = index + form.count
    guard form.count < wholeWordsBelow else { return true }
    let isFollowed = end < bytes.count && KnownSecrets.isWord(bytes[end])
    return !isFollowed && (index == 0 || !KnownSecrets.isWord(bytes[index - 1]))
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

  private static func forms(of value: String) -> Set<[UInt8]> {
    let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let encoded = [FormEncoding.percentEncode(value), FormEncoding.encode(value)]
    let all =
      [value, escaped, escaped.replacing("/", with: "\\/")] + encoded + encoded.map(FormEncoding.loweringEscapes)
    return Set(all.map { Array($0.utf8) })
  }
}
