import Foundation
import Testing

@testable import AuthCore

/// Puts secrets into documents of all kinds, in each encoding, and compares which are found with a table that is
/// committed: `Tests/Redaction`. A change of the redaction must not lose one.
@Suite("secrets in documents of all kinds") struct RedactionAttackTests {
  private typealias Corpus = SecretCorpus

  /// A secret that is found (`+`, or `*` if it was replaced together with what is no secret), or not (`.`): six of its
  /// characters are visible.
  ///
  /// - Parameter expansion: how much longer the secret is because of its encoding.
  private static func cell(
    _ shown: String, _ document: Corpus.Document, _ secret: Substring, expansion: Int = 1
  ) -> String {
    let bytes = Array(secret.utf8)
    let size = min(6 * expansion, bytes.count)
    let isVisible = (0...(bytes.count - size)).contains { start in
      shown.contains(bytes: String(decoding: bytes[start..<start + size], as: UTF8.self))
    }
    if isVisible { return "." }
    let isKept = ["first", "last"].allSatisfy { !document.text.contains(bytes: $0) || shown.contains(bytes: $0) }
    return isKept ? "+" : "*"
  }

  private static func shown(_ redaction: Redaction, _ document: Corpus.Document, _ name: String, _ value: String)
    -> String
  {
    let text = document.filled(name, value)
    return document.isHeader ? redaction.receivedLine(text) : redaction.serverText(text)
  }

  /// Returns a table with a line for each document and a word of cells for each group of columns.
  private static func table(
    _ title: String, _ documents: [Corpus.Document], _ cells: (Corpus.Document) -> [String]
  ) -> String {
    let lines = documents.map {
      $0.kind.padding(toLength: 23, withPad: " ", startingAt: 0) + cells($0).joined(separator: " ")
    }
    return "# \(title)\n" + lines.joined(separator: "\n") + "\n"
  }

  private static func knownValues() -> String {
    let redactions = Corpus.known.map { _, secret in
      let redaction = Redaction()
      // Also the short ones.
      _ = redaction.field("password", secret)
      return redaction
    }
    let columns = Corpus.encodings.map(\.name).joined(separator: ", ")
    let groups = Corpus.known.map(\.0).joined(separator: ", ")
    return table("Known secrets (\(groups)) in encodings (\(columns))", Corpus.documents) { document in
      zip(redactions, Corpus.known).map { redaction, secret in
        Corpus.encodings.map { encoding in
          let encoded = encoding.encode(secret.1)
          return cell(
            shown(redaction, document, "note", encoded), document,
            encoded.dropFirst(encoding.margin).dropLast(encoding.margin),
            expansion: encoded.utf8.count / secret.1.utf8.count)
        }.joined()
      }
    }
  }

  private static func unknownValues() -> String {
    let redaction = Redaction(secretNames: ["guestKey"])
    let columns = Corpus.unknown.map(\.0).joined(separator: ", ")
    return table("Unknown values (\(columns)) of names (\(Corpus.names.joined(separator: ", ")))", Corpus.documents) {
      document in
      Corpus.names.map { name in
        Corpus.unknown.map { cell(shown(redaction, document, name, $0.1), document, $0.1[...]) }.joined()
      }
    }
  }

  private static func formedValues() -> String {
    let columns = Corpus.formed.map(\.0).joined(separator: ", ")
    return table("Values of no name (\(columns)): in a text, issued by a server", Corpus.documents) { document in
      let texts = Corpus.formed.map { cell(shown(Redaction(), document, "note", $0.1), document, $0.1.suffix(12)) }
      let issued = Corpus.formed.map { formed in
        cell(Redaction().issued(document.filled("note", formed.1)), document, formed.1.suffix(12))
      }
      return [texts.joined(), issued.joined()]
    }
  }

  /// The most characters of a secret that are visible when the text ends within it, as a digit; `z` from 35 on.
  private static func cut(_ document: Corpus.Document, _ name: String, _ encoded: String, _ show: (String) -> String)
    -> String
  {
    let text = document.filled(name, encoded)
    guard let range = text.firstRange(ofBytes: encoded) else { return "?" }
    let before = Array(text[..<range.lowerBound].utf8)
    let secret = Array(encoded.utf8)
    let most =
      (-12...secret.count + 3).map { end -> Int in
        let part = String(decoding: text.utf8.prefix(max(0, before.count + end)), as: UTF8.self)
        let shown = Array(show(part).utf8)
        guard shown.starts(with: before) else { return 0 }
        return zip(shown.dropFirst(before.count), secret).prefix { $0 == $1 }.count
      }.max() ?? 0
    return String(min(most, 35), radix: 36)
  }

  private static func cuts() -> String {
    let redaction = Redaction()
    for (_, secret) in Corpus.known { redaction.learn(value: secret) }
    let unknown = Redaction()
    let names = ["access_token", "password", "code"]
    let columns = Corpus.unknown.map(\.0).joined(separator: ", ")
    let title =
      "The most characters of a cut secret that are visible: the token and the password in each encoding, and unknown "
      + "values (\(columns)) of names (\(names.joined(separator: ", ")))"
    return table(title, Corpus.documents.filter { !$0.isHeader }) { document in
      let known = Corpus.known.prefix(2).map { secret in
        Corpus.cut.contains(document.kind)
          ? Corpus.encodings.map { encoding in
            cut(document, "note", encoding.encode(secret.1)) { redaction.text($0, isCut: true) }
          }.joined() : "-"
      }
      let named = names.map { name in
        Corpus.unknown.map { value in cut(document, name, value.1) { unknown.text($0, isCut: true) } }.joined()
      }
      return known + named
    }
  }

  /// What a table is about; the name of its file.
  enum Part: String, CaseIterable {
    case known, unknown, formed, cut

    var table: String {
      switch self {
      case .known: RedactionAttackTests.knownValues()
      case .unknown: RedactionAttackTests.unknownValues()
      case .formed: RedactionAttackTests.formedValues()
      case .cut: RedactionAttackTests.cuts()
      }
    }
  }

  @Test("which secrets are found in which documents", arguments: Part.allCases)
  func found(_ part: Part) throws {
    let text = part.table
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Redaction/\(part.rawValue).txt")
    if ProcessInfo.processInfo.environment["AUTHCTL_REGENERATE"] == "1" { try Data(text.utf8).write(to: url) }
    let kept = try String(contentsOf: url, encoding: .utf8)
    for (old, new) in zip(kept.split(separator: "\n"), text.split(separator: "\n")) { #expect(old == new) }
    #expect(kept.utf8.count == text.utf8.count)
  }

  @Test(
    "a text takes linear time, whatever it repeats",
    arguments: [
      "\u{1F1E9}", "\"", "{", "%", "%25", "&", "\\", "'", "<", ">", ":", "=", "://", "\"token\":", "\"token\":[",
      "<token>a", "token:a ", "-----BEGIN PRIVATE KEY-----", "eyJ.", "bearer ", "https://a:b", "a", "topsecr ",
    ])
  func linear(part: String) {
    let redaction = Redaction()
    redaction.learn(value: "topsecret-token")
    func time(_ size: Int) -> Duration {
      let text = String(repeating: part, count: size / part.utf8.count)
      return ThreadTime.of { _ = SecretText.withoutLongWords(redaction.serverText(text)) }
    }
    // Eight times the length: eight times the time, and four times that for a busy machine; squared it would be 64.
    #expect(time(16 << 10) < time(2 << 10) * 32 + .milliseconds(20))
  }
}
