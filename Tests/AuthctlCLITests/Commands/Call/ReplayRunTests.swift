import Foundation
import TestSupport
import Testing

@Suite("ReplayRun") struct ReplayRunTests {
  /// A workplace whose token the server does not take any more although it is valid by the clock.
  func refused(_ more: String = "") async throws -> Workplace {
    let place = try await Workplace.loggedIn(more)
    try await place.lab.expireAccessTokens()
    return place
  }

  @Test(
    "the refresh does not depend on the form of the challenge (real-servers.md, 22)",
    arguments: ["full", "lowercase", "no-space", "absent"])
  func challenges(form: String) async throws {
    let place = try await refused()
    try await place.lab.change(#"{"challenge":"\#(form)"}"#)
    #expect(try await place.run("call", "me").json().string("sub") == "alice")
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("a second 401 is the response: its body, status 22, one refresh")
  func secondRefusal() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.fail(#"{"endpoint":"api","kind":"always401"}"#)
    let outcome = try await place.run("call", "me")
    outcome.expect(22)
    #expect(outcome.text.contains("invalid_token"))
    let counters = try await place.lab.counters()
    #expect(counters["api"] == 2)
    #expect(counters["token.refresh_token"] == 1)
  }

  @Test("a 403 says what the API says in its challenge")
  func forbiddenWords() async throws {
    let place = try Workplace(.none)
    let challenge = #"Bearer error="access_denied", error_description="not\u{1b}[31m yours""#
    let origin = "http://127.0.0.1:2"
    place.network.add(origin) { _ in
      "HTTP/1.1 403 Forbidden\nWWW-Authenticate: \(challenge)\nContent-Length: 0\n\n"
    }
    let outcome = try await place.run("call", "--no-auth", origin)
    #expect(outcome.error.contains("the API returned 403 (access_denied: not"), "\(outcome.error)")
    #expect(!outcome.error.contains("\u{1b}"))
  }

  @Test(
    "a challenge of a kind that no token meets has a hint of its own",
    arguments: [
      (#"Digest realm="x", nonce="n", qop="auth""#, "Digest authentication, which authctl does not support"),
      ("NTLM", "NTLM authentication"), (#"Bearer realm="x", Digest realm="y", nonce="n""#, nil),
    ] as [(String, String?)])
  func foreignScheme(challenge: String, hint: String?) async throws {
    let place = try Workplace(.none)
    let origin = "http://127.0.0.1:2"
    place.network.add(origin) { _ in "HTTP/1.1 401 No\nWWW-Authenticate: \(challenge)\nContent-Length: 0\n\n" }
    let outcome = try await place.run("call", origin, environment: ["AUTHCTL_ACCESS_TOKEN": "given"])
    #expect(outcome.status == 22)
    #expect(outcome.error.contains(hint ?? "--no-fail"), "\(outcome.error)")
    #expect(outcome.error.contains("does not support") == (hint != nil))
  }

  @Test("403 is the response, unless refresh_on names it")
  func forbidden() async throws {
    let plain = try await refused()
    let outcome = try await plain.run("call", "forbidden-when-expired")
    #expect(outcome.status == 22 && outcome.text.contains("expired"))
    #expect(try await plain.lab.count("token") == 0)
    let naming = try await refused("refresh_on = [401, 403]")
    #expect(try await naming.run("call", "forbidden-when-expired").status == 0)
    #expect(try await naming.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("if a login is required, the body of the 401 is not printed: status 3")
  func loggedOutAtServer() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.revokeAll()
    let outcome = try await place.run("call", "me")
    outcome.expect(3)
    #expect(outcome.text.isEmpty)
    #expect(outcome.error.contains("authctl login work"))
  }

  @Test("with -o the refused response leaves nothing in the file")
  func outputFile() async throws {
    let place = try await refused()
    let file = place.folder.appending(path: "out")
    #expect(try await place.run("call", "-i", "-o", file.path, "me").status == 0)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("HTTP/1.1 200"))
    #expect(!text.contains("401"))
  }
}
