import Foundation
import TestSupport
import Testing

@Suite("the five kinds of server, end to end")
struct ServerKindTests {
  @Test("login: tokens are in the keyring, the API knows who it is, status shows it", arguments: ServerKind.allCases)
  func login(kind: ServerKind) throws {
    let place = try Workplace()
    try place.makeProfile(kind)
    let outcome = try place.logIn(kind)
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.text.isEmpty && outcome.error.contains("logged in to work"))
    #expect(try place.lab.count(kind.login) == 1)
    let pair = try place.pair()
    #expect(pair.string("access_token") != nil && pair.string("refresh_token") != nil)
    // Unknown where neither the response, nor the token, nor the profile says it.
    #expect((pair.string("expires_at") == nil) == [.silent, .flagged].contains(kind))
    #expect((pair.string("refresh_expires_at") != nil) == (kind == .flat))
    let call = try place.run("call", "me")
    call.expect(0)
    #expect(try call.json().string("name") == kind.user)
    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("type") == "custom" && status.isNull("issuer"))
    #expect(status.string("state") == (pair.string("expires_at") == nil ? "refreshable" : "valid"))
  }

  @Test("the API refuses the token: one refresh, one replay with the same body", arguments: ServerKind.allCases)
  func replay(kind: ServerKind) throws {
    let place = try Workplace.loggedIn(kind)
    try place.lab.expireAccessTokens()
    let outcome = try place.run("call", "-d", "a=b&c=ü", "echo")
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json().string("body") == "a=b&c=ü")
    let counters = try place.lab.counters()
    #expect(counters["\(kind.name).refresh.ok"] == 1 && counters["\(kind.name).refresh"] == 1, "\(counters)")
    #expect(counters["\(kind.name).api"] == 2 && counters["\(kind.name).api.expired"] == 1, "\(counters)")
  }

  @Test(
    "many concurrent calls whose token is refused cause one refresh", arguments: ServerKind.allCases,
    Workplace.Wire.allCases)
  func parallel(kind: ServerKind, wire: Workplace.Wire) throws {
    let place = try Workplace.loggedIn(kind, over: wire)
    try place.lab.expireAccessTokens()
    let runs = try (0..<6).map { _ in try place.start(["call", "me"]) }
    for run in runs {
      let outcome = try run.wait()
      outcome.expect(0)
    }
    #expect(try place.lab.count("\(kind.name).refresh") == 1)
  }
}
