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

    /// The secrets whose forms are not yet looked for: only a text that is shown needs them.
    var new: [String] = []

    mutating func addForms(shortest: Int) {
      for value in new {
        let bytes = Array(value.utf8)
        plain.insert(.init(bytes))
        let unescaped = UnescapedText(bytes, isFolded: true).bytes
        // Decoded, it could be a common word.
        decoded.insert(.init(unescaped.count >= shortest ? unescaped : bytes))
        for form in SecretForms.encodings(of: bytes) { decoded.insert(form) }
      }
      new = []
    }

    /// Forgets all secrets but the newest.
    mutating func forgetOld() {
      let kept = values.sorted { $0.value > $1.value }.prefix(KnownSecrets.most)
      values = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
      (plain, decoded, new) = (SecretForms(), SecretForms(), Array(values.keys))
    }
  }

  /// More than a login and its requests use. A long-running program keeps at least this number of the newest.
  private static let most = 128

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
    guard value.utf8.count >= shortest, !value.isEmpty else { return }
    state.withLock { state in
      state.count += 1
      guard state.values.updateValue(state.count, forKey: value) == nil else { return }
      state.new.append(value)
      if state.values.count > 2 * KnownSecrets.most { state.forgetOld() }
    }
  }

  /// Adds a token, and the signature of a JWT, which is the part that must not be known.
  package func add(token: Secret) {
    add(token.exposed)
    let parts = token.exposed.split(atAny: ".")
    if parts.count == 3 { add(parts[2]) }
  }

  /// Returns the text without the secrets, in linear time. It compares bytes, so that a combining mark after a secret
  /// does not hide it.
  ///
  /// - Parameter isCut: whether the text may end within a secret, whose beginning is then replaced, too.
  package func redacting(_ text: String, isCut: Bool = false) -> String {
    let (plain, decoded) = state.withLock { state in
      state.addForms(shortest: shortest)
      return (state.plain, state.decoded)
    }
    guard !plain.isEmpty else { return text }
    let bytes = Array(text.utf8)
    let view = UnescapedText(bytes, isFolded: true)
    let end = isCut ? view.countOfWhole : view.bytes.count
    var found = decoded.ranges(in: view.bytes[..<end], isCut: isCut) { isWord($0, view.bytes, view) }.map { range in
      // What is left of an escape belongs to the secret, too.
      isCut && range.upperBound == end ? view.original(range).lowerBound..<bytes.count : view.original(range)
    }
    if view.isChanged { found += plain.ranges(in: bytes[...], isCut: isCut) { isWord($0, bytes) } }
    guard !found.isEmpty else { return text }
    return SecretMatch.replace(found.map { SecretMatch(range: $0, name: "") }, in: bytes) { _ in SecretText.mark }
  }

  /// Whether a part of a text may be a secret: if it is short, it must be a whole word.
  ///
  /// - Parameter view: states which bytes follow each other in the original, too.
  private func isWord(_ range: Range<Int>, _ bytes: [UInt8], _ view: UnescapedText? = nil) -> Bool {
    guard range.count < wholeWordsBelow else { return true }
    func isJoined(_ first: Int, _ second: Int, _ outer: Int) -> Bool {
      // Characters beyond ASCII count as letters.
      guard bytes.indices.contains(outer), bytes[outer].isAlphanumeric || bytes[outer] >= 0x80 else { return false }
      return view?.areAdjacent(first, second) != false
    }
    let (start, end) = (range.lowerBound, range.upperBound)
    return !isJoined(start - 1, start, start - 1) && !isJoined(end - 1, end, end)
  }
}
