import AuthCore
import Foundation
import Testing

/// The library speaks to programs: what it says must fit every program that uses it.
@Suite("Texts of the library") struct LibraryTextTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/AuthCore")

  /// The lines of code, without comments and without the entries of a profile's keys, whose words are for the manual of
  /// the program and in no message of the library.
  private static func lines() throws -> [(file: String, line: String)] {
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter {
      $0.pathExtension == "swift" && !$0.lastPathComponent.hasPrefix("ProfileKeyTable+")
    }.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.map { (file.lastPathComponent, String($0)) }
    }
  }

  @Test("no text names the command line program")
  func program() throws {
    let lines = try Self.lines()
    #expect(lines.count > 3000)
    // What stands between the parts of a multipart body is not a text for people.
    let found = lines.filter { $0.line.contains("authctl") && !$0.line.contains("\"authctl-\" + random()") }
    #expect(found.map(\.line) == [])
  }

  @Test("no text names an option of the command line program")
  func options() throws {
    let option = try Regex(#"[ (]--[a-z][a-z-]+"#)
    let found = try Self.lines().filter { $0.line.contains("\"") && $0.line.contains(option) }
    #expect(found.map(\.line) == [])
  }

  @Test("a public error describes itself in words, to Foundation too")
  func descriptions() throws {
    let explanation = AuthError.Explanation("session work", why: "not logged in", remedy: .logIn(session: "work"))
    let cases: [(any Error, String)] = [
      (AuthError.loginRequired(explanation), "session work: not logged in"),
      (RefreshFailure.other(.loginRequired(explanation)), "session work: not logged in"),
      (APIError.authentication(.loginRequired(explanation)), "session work: not logged in"),
      (APIError.noData(status: 204), "the API returned 204 with an empty body"),
      (TransportError.unreachable(detail: "refused"), "refused"),
      (RescueFailure.noRoom("it is full"), "it is full"),
      (AuthorizationResponse.Invalid.wrongState, "the redirect belongs to another login (state)"),
      (AuthorizationResponse.Invalid.missingState(error: "x"), "the redirect has no state"),
      (AuthorizationResponse.Invalid.repeated("code"), "the redirect has code twice"),
    ]
    for (error, text) in cases {
      #expect(error.localizedDescription == text)
      #expect(String(describing: error) == text)
    }
    #expect(throws: WebURL.Invalid.self) { try WebURL("") }
    let invalid = #expect(throws: WebURL.Invalid.self) { try WebURL("") }
    #expect(invalid?.localizedDescription == "not a usable URL: it is empty")
  }

  @Test(
    "a remedy is typed for the program to word, and a suggestion if it needs no word of the program's")
  func remedies() {
    let typed = AuthError.loginRequired(.init("a", why: "b", remedy: .logIn(session: "work")))
    #expect(typed.explanation.remedy == .logIn(session: "work"))
    #expect(typed.recoverySuggestion == nil)
    #expect(AuthError.tryLater(.init("a", why: "b", hint: "try again")).recoverySuggestion == "try again")
  }
}
