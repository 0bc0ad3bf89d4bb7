import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// `.github/login.svg`, which `make picture` makes from a login in a terminal.
@Suite("Picture") struct PictureTests {
  private static func picture() throws -> String {
    try String(contentsOf: GeneratedFilesTests.top.appending(path: ".github/login.svg"), encoding: .utf8)
  }

  /// Of each line of a login, the words that do not depend on the server and the home.
  private static func words(_ lines: String) -> [String] {
    lines.split(separator: "\n").compactMap { line in
      if let fact = line.wholeMatch(of: /([A-Z]\w+) {2,}[^(]+(\(.+\))?/) { return "\(fact.1) \(fact.2 ?? "")" }
      // The address of the page fills lines of its own.
      return line.firstMatch(of: /^\S+ \S+ \S+/).map { String($0.0) }
    }
  }

  @Test("it shows the lines that a login prints today")
  func fresh() async throws {
    let place = try await AddressRunTests.place(#","registration":true"#)
    try await place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    var parts = Workplace.Parts()
    parts.browser = place.browser()
    let outcome = await place.run(
      ["login", place.lab.origin + "/api"], at: try FakeConsole(isTerminal: true, isOutputTerminal: true),
      environment: ["NO_COLOR": "1"], with: parts)
    outcome.expect(0)
    let shown = try #require(try Self.picture().firstMatch(of: /">\$ authctl login [^\n]+\n((?s:.+?))\n\n/)).1
    #expect(Self.words(String(shown)) == Self.words(outcome.error), "it is stale: run 'make picture' and commit it")
    #expect(Self.words(String(shown)).count > 6)
  }

  @Test("it has colors for dark pages")
  func dark() throws {
    #expect(try Self.picture().contains("@media(prefers-color-scheme:dark)"))
  }
}
