import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// The output of `-v`.
@Suite("TraceRun") struct TraceRunTests {
  /// The lines without their times.
  private func lines(_ outcome: Outcome) -> [String] {
    outcome.error.split(separator: "\n").compactMap { line in
      line.firstRange(of: "ms] ").map { String(line[$0.upperBound...]) }
    }
  }

  @Test("a refresh shows the form and the members of its response; one token has one fingerprint")
  func refresh() async throws {
    let place = try await Workplace.loggedIn()
    let refreshToken = try #require(try place.pair().string("refresh_token"))
    try await place.lab.expireAccessTokens()
    let outcome = try await place.run("call", "-v", "me")
    #expect(outcome.status == 0, "\(outcome.error)")
    let lines = lines(outcome)
    let shown = "‹opaque, \(refreshToken.count) chars, \(Secret(refreshToken).fingerprint)›"
    let form = try #require(lines.firstIndex(of: "> grant_type=refresh_token"))
    #expect(lines.contains("> refresh_token=\(shown)"), "\(lines)")
    #expect(lines.contains("> client_id=cli"))
    let header = try #require(lines.firstIndex { $0.hasPrefix("> POST /token ") })
    let status = try #require(lines.lastIndex { $0.hasPrefix("< HTTP/1.1 200") && lines.firstIndex(of: $0) != nil })
    #expect(header < form && form < status)
    let access = try #require(try place.pair().string("access_token"))
    #expect(lines.contains("< access_token=‹opaque, \(access.count) chars, \(Secret(access).fingerprint)›"), "\(lines)")
    #expect(lines.contains("< token_type=Bearer") && lines.contains { $0.hasPrefix("< expires_in=") }, "\(lines)")
    for secret in [refreshToken, access] { #expect(!outcome.error.contains(secret)) }
  }

  @Test("a login shows its form without the password")
  func login() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run(
      ["login", "work", "-v", "--password-stdin"], input: .text(Workplace.password))
    #expect(outcome.status == 0, "\(outcome.error)")
    let lines = lines(outcome)
    #expect(lines.contains("> password=‹redacted›") && lines.contains("> grant_type=password"), "\(lines)")
    #expect(!outcome.error.contains(Workplace.password))
  }

  @Test("says which profile is used, and why")
  func profile() async throws {
    let place = try await Workplace.loggedIn()
    func reason(_ words: [String], _ environment: [String: String?] = [:]) async throws -> String? {
      lines(try await place.run(words + ["-v"], environment: environment)).first { $0.hasPrefix("* profile ") }
    }
    let start = "* profile work, \(place.file().path): "
    #expect(try await reason(["token"]) == start + "it is the only profile")
    #expect(try await reason(["token", "-p", "work"]) == start + "named on the command line")
    #expect(try await reason(["token"], ["AUTHCTL_PROFILE": "work"]) == start + "named by AUTHCTL_PROFILE")
    try place.makeProfile("other", "api = [\"https://other.example\"]")
    let url = place.lab.origin + "/api/me"
    #expect(try await reason(["call", url]) == start + "its api has the origin \(place.lab.origin)")
    try place.makeProfile("third", "default = true")
    #expect(try await reason(["call", url])?.hasSuffix("it has default = true") == true)
  }

  @Test("on a terminal each kind of line has its colour, also with --color always")
  func colour() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.expireAccessTokens()
    let outcome = try await place.run("call", "-v", "--color", "always", "me")
    for start in ["\u{1B}[36m> POST /token", "\u{1B}[32m< token_type=", "\u{1B}[1m* profile work"] {
      #expect(outcome.error.contains("ms] " + start), "\(outcome.error)")
    }
  }

  @Test("each line of a batch's request has the number of its line in the input")
  func batch() async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run(["call", "-v", "--batch", "-"], input: .text("me\n\nitems\n"))
    #expect(outcome.status == 0 || outcome.status == 22, "\(outcome.error)")
    let lines = lines(outcome)
    #expect(lines.contains("#1 > GET /api/me HTTP/1.1") && lines.contains("#3 > GET /api/items HTTP/1.1"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("#1 < HTTP/1.1 ") })
    #expect(!lines.contains { $0.hasPrefix("> GET") })
  }
}
