import Foundation
import TestSupport
import Testing

@Suite("SimulationRun") struct SimulationRunTests {
  /// What the API was sent in the field of the token, request by request.
  private func tokens(_ place: Workplace) async throws -> [String?] {
    try await place.lab.lastRequests().filter { $0.target.hasPrefix("/api") }.map { $0.header("authorization") }
  }

  @Test("expired: the token is refreshed before the request, and one line says so")
  func expired() async throws {
    let place = try await Workplace.loggedIn()
    let old = try place.pair().string("access_token")
    let outcome = try await place.run("call", "--simulate", "expired", "me")
    #expect(outcome.status == 0)
    #expect(outcome.error == "authctl: simulating an expired token: it is refreshed before the request\n")
    let stored = try #require(try place.pair().string("access_token"))
    #expect(stored != old)
    #expect(try await tokens(place) == ["Bearer \(stored)"])
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("refused: the API's own 401, one refresh and the replay; the session is a good one afterwards")
  func refused() async throws {
    let place = try await Workplace.loggedIn()
    let old = try #require(try place.pair().string("access_token"))
    let outcome = try await place.run("call", "-v", "--simulate", "refused", "-d", "a=b", "echo")
    outcome.expect(0)
    #expect(try outcome.json().string("body") == "a=b")
    #expect(outcome.error.contains("authctl: simulating a refused token: an altered one is sent first\n"))
    #expect(outcome.error.contains("the API returned 401: refreshing the token to replay the request"))
    #expect(outcome.error.contains("refreshing: the API refused the altered token (simulated)"))
    let pair = try place.pair()
    let stored = try #require(pair.string("access_token"))
    let sent = try await tokens(place).compactMap { $0?.dropFirst("Bearer ".count) }.map(String.init)
    #expect(sent.count == 2 && sent.last == stored && sent.first?.count == old.count && sent.first != old)
    #expect(pair.string("refused_at") == nil && pair.string("access_token_refused_at") == nil)
    for secret in sent + [old] { #expect(!outcome.error.contains(secret)) }
    #expect(try await place.run("call", "me").status == 0)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("several addresses: the token fails once")
  func several() async throws {
    let place = try await Workplace.loggedIn()
    #expect(try await place.run("call", "-q", "--simulate", "refused", "me", "me").status == 0)
    #expect(try await tokens(place).count == 3)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("an API that does not refuse the altered token is reported")
  func accepted() async throws {
    let place = try await Workplace.loggedIn("api = [\"http://127.0.0.1:2\"]")
    place.network.add("http://127.0.0.1:2") { _ in "HTTP/1.1 200 OK\nContent-Length: 0\n\n" }
    let outcome = try await place.run("call", "--simulate", "refused", "/")
    #expect(outcome.status == 0)
    #expect(
      outcome.error.hasSuffix(
        "authctl: warning: the API did not refuse the altered token (status 200): nothing was refreshed\n"))
    #expect(try await place.lab.count("token") == 0)
    #expect(try await place.run("call", "-q", "--simulate", "refused", "/").error.isEmpty)
  }

  @Test("a refresh token that is dead ends the call with 3; the access token is still used")
  func deadRefreshToken() async throws {
    let place = try await Workplace.loggedIn()
    try await place.response(at: "token", "status", ["status": 400, "body": #"{"error":"invalid_grant"}"#])
    #expect(try await place.run("call", "--simulate", "refused", "me").status == 3)
    #expect(try await place.run("call", "me").status == 0)
    #expect(try place.pair().string("access_token_refused_at") == nil)
  }

  @Test(
    "what contradicts it is refused before anything is sent",
    arguments: [
      ["--no-auth"], ["-u", "alice"], ["--batch", "/dev/null"], ["--print-curl"],
    ])
  func contradictions(options: [String]) async throws {
    let place = try await Workplace.loggedIn()
    let address = options.contains("--batch") ? [] : ["me"]
    let outcome = try await place.run(["call", "--simulate", "expired"] + options + address)
    outcome.expect(2)
    #expect(outcome.error.contains(options[0] == "-u" ? "--user" : options[0]), "\(outcome.error)")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a token without a refresh is refused: a given one, a password, and refresh_on without a status")
  func withoutRefresh() async throws {
    let place = try await Workplace.loggedIn()
    let given = try await place.run("call", "--simulate", "expired", "me", environment: ["AUTHCTL_ACCESS_TOKEN": "x"])
    #expect(given.status == 2 && given.error.contains("AUTHCTL_ACCESS_TOKEN"))
    try place.write("type = \"basic\"\nusername = \"alice\"\napi = [\"\(place.lab.origin)/api\"]\n", as: "basic")
    let basic = try await place.run("call", "-p", "basic", "--simulate", "refused", "me")
    basic.expect(2, error: "profile basic has a password")
    try place.makeProfile("work", "refresh_on = []")
    let never = try await place.run("call", "-p", "work", "--simulate", "refused", "me")
    never.expect(2, error: "refresh_on = []")
    #expect(try await place.lab.lastRequests().isEmpty)
    #expect(try await place.run("call", "-p", "work", "--simulate", "expired", "me").status == 0)
  }
}
