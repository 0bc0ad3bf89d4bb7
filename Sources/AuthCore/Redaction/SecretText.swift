/// The place of a secret in a text.
struct SecretMatch {
  let range: Range<Int>
  /// The name that indicates it; empty if its form does.
  let name: String

  /// Returns the places in their order, without overlaps.
  static func merged(_ matches: [SecretMatch]) -> [SecretMatch] {
    let all = matches.sorted { $0.range.lowerBound < $1.range.lowerBound }
    return all.reduce(into: []) { merged, match in
      guard let last = merged.last, match.range.lowerBound < last.range.upperBound else { return merged.append(match) }
      let end = max(last.range.upperBound, match.range.upperBound)
      merged[merged.count - 1] = SecretMatch(range: last.range.lowerBound..<end, name: last.name)
    }
  }

  /// Returns a text with all secrets replaced.
  static func replace(_ matches: [SecretMatch], in text: [UInt8], by mark: (SecretText.Found) -> String) -> String {
    var shown: [UInt8] = []
    var index = 0
    for match in merged(matches) {
      shown += text[index..<match.range.lowerBound]
      shown += mark(SecretText.Found(match, text)).utf8
      index = match.range.upperBound
    }
    return String(decoding: shown + text[index...], as: UTF8.self)
  }
}

/// Redacts secrets in a text of any form (a URL, a form, JSON, XML, YAML, HTML, a libcurl message) in linear time.
///
/// A secret is found by a name that ``SecretNames`` knows, or by its form; see ``SecretScanner``. The text is read as
/// it is, and with its escapes decoded: a name or a value may be part of a URL in JSON in a form. A secret without such
/// a name or form, such as a password in a sentence, is not found.
package enum SecretText {
  /// What is shown in place of a secret.
  static let mark = "‹redacted›"

  /// A secret in a text.
  package struct Found {
    /// The name that indicates it; empty if its form does.
    package let name: String
    /// The secret as it is written in the text.
    package let value: String

    fileprivate init(_ match: SecretMatch, _ text: [UInt8]) {
      name = match.name
      value = String(decoding: text[match.range], as: UTF8.self)
    }
  }

  /// Returns the text without its secrets.
  ///
  /// - Parameter furtherNames: names of secrets in addition to those that ``SecretNames`` knows, each in its `plain`
  ///   form.
  /// - Parameter mark: returns the replacement for a secret.
  package static func redacted(
    _ text: String, or furtherNames: Set<String> = [], as mark: (Found) -> String = { _ in SecretText.mark }
  ) -> String {
    let bytes = Array(text.utf8)
    let matches = matches(in: bytes, furtherNames)
    return matches.isEmpty ? text : SecretMatch.replace(matches, in: bytes, by: mark)
  }

  /// Returns the secrets in the text, as they are written there.
  static func secrets(in text: String, or furtherNames: Set<String> = []) -> [String] {
    let bytes = Array(text.utf8)
    return SecretMatch.merged(matches(in: bytes, furtherNames)).map { Found($0, bytes).value }
  }

  private static func matches(in bytes: [UInt8], _ furtherNames: Set<String>) -> [SecretMatch] {
    let matches = SecretScanner(bytes, furtherNames).matches
    let unescaped = UnescapedText(bytes, isFolded: false)
    guard unescaped.isChanged else { return matches }
    return matches
      + SecretScanner(unescaped.bytes, furtherNames).matches.map { match in
        SecretMatch(range: unescaped.original(match.range), name: match.name)
      }
  }

  /// Returns the text without long runs of characters, which may be tokens.
  package static func withoutLongWords(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let words = bytes.indices.split { !SecretScanner.isWord(bytes[$0]) && bytes[$0] != UInt8(ascii: "+") }
    let long = words.filter { word in
      word.count >= 32 || word.count >= 20 && word.contains { (0x30...0x39).contains(bytes[$0]) }
    }
    guard !long.isEmpty else { return text }
    let matches = long.map { SecretMatch(range: $0.startIndex..<$0.endIndex, name: "") }
    return SecretMatch.replace(matches, in: bytes) { _ in mark }
  }
}
