/// Redacts secrets in a text of any form (a URL, a form, JSON, XML, YAML, HTML, a libcurl message) in linear time.
///
/// A secret is found by a name that ``SecretNames`` knows, or by its form; see ``SecretScanner``. The text is read as
/// it is, and with its escapes decoded: a name or a value may be part of a URL in JSON in a form. A secret without such
/// a name or form, such as a password in a sentence, is not found.
package enum SecretText {
  /// A secret in a text.
  package struct Found {
    /// The name that indicates it; empty if its form does.
    package let name: String
    /// The secret as it is written in the text.
    package let value: String
  }

  /// Returns the text without its secrets.
  ///
  /// - Parameter furtherNames: names of secrets in addition to those that ``SecretNames`` knows, each in its `plain`
  ///   form.
  /// - Parameter mark: returns the replacement for a secret.
  package static func redacted(
    _ text: String, or furtherNames: Set<String> = [], as mark: (Found) -> String = { _ in "‹redacted›" }
  ) -> String {
    let bytes = Array(text.utf8)
    let matches = matches(in: bytes, furtherNames)
    guard !matches.isEmpty else { return text }
    var shown: [UInt8] = []
    var index = 0
    for match in matches {
      shown += bytes[index..<match.range.lowerBound]
      shown += mark(found(match, bytes)).utf8
      index = match.range.upperBound
    }
    return String(decoding: shown + bytes[index...], as: UTF8.self)
  }

  /// Returns the secrets in the text, as they are written there.
  static func secrets(in text: String, or furtherNames: Set<String> = []) -> [String] {
    let bytes = Array(text.utf8)
    return matches(in: bytes, furtherNames).map { found($0, bytes).value }
  }

  private static func found(_ match: SecretScanner.Match, _ bytes: [UInt8]) -> Found {
    Found(name: match.name, value: String(decoding: bytes[match.range], as: UTF8.self))
  }

  /// Returns the secrets in their order, without overlaps.
  private static func matches(in bytes: [UInt8], _ furtherNames: Set<String>) -> [SecretScanner.Match] {
    let matches = SecretScanner(bytes, furtherNames).matches
    let unescaped = UnescapedText(bytes, isFolded: false)
    guard unescaped.isChanged else { return matches }
    let further = SecretScanner(unescaped.bytes, furtherNames).matches.map { match in
      SecretScanner.Match(range: unescaped.original(match.range), name: match.name)
    }
    guard !further.isEmpty else { return matches }
    let all = (matches + further).sorted { $0.range.lowerBound < $1.range.lowerBound }
    return all.reduce(into: []) { merged, match in
      guard let last = merged.last, match.range.lowerBound < last.range.upperBound else { return merged.append(match) }
      let end = max(last.range.upperBound, match.range.upperBound)
      merged[merged.count - 1] = .init(range: last.range.lowerBound..<end, name: last.name)
    }
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
}
