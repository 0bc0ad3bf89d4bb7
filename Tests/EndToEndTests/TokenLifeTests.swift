import Foundation
import TestSupport
import Testing

@Suite("the life of a token, end to end")
struct TokenLifeTests {
  /// A workplace with a pair whose access token is over, at a server that revokes all where a refresh token is reused.
  func expired(over wire: Workplace.Wire = .http1) throws -> Workplace {
    let place = try Workplace.loggedIn("", lab: ["--access-lifetime", "1"], over: wire)
    try place.lab.change(#"{"access_lifetime":600}"#)
    try place.waitForExpiry()
    return place
  }

  /// Runs many calls at once and gives back how they ended.
  func storm(_ place: Workplace, _ count: Int = 30) throws -> [Outcome] {
    let runs = try (0..<count).map { _ in try place.start(["call", "me"]) }
    return try runs.map { try $0.wait() }
  }

  @Test("an expired token is refreshed before the request: one refresh, no 401")
  func expiry() throws {
    let place = try expired()
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    let counters = try place.lab.counters()
    #expect(counters["token.refresh_token.ok"] == 1)
    #expect(counters["api.401"] == nil)
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.lab.count("token") == 1)
  }

  @Test(
    "30 concurrent processes with an expired token: 30 responses, one refresh, no reuse (real-servers.md, 1)",
    arguments: Workplace.Wire.allCases)
  func stormOfExpired(wire: Workplace.Wire) throws {
    let place = try expired(over: wire)
    let outcomes = try storm(place)
    #expect(outcomes.map(\.status) == Array(repeating: 0, count: 30), "\(outcomes.map(\.error).joined())")
    let counters = try place.lab.counters()
    #expect(counters["token.refresh_token"] == 1)
    #expect(counters["reuse_detected"] == nil)
    #expect(counters["api.ok"] == 30)
    #expect(counters["api.401"] == nil)
  }

  @Test(
    "30 concurrent processes whose token the API refuses: 30 responses, one refresh, no reuse",
    arguments: Workplace.Wire.allCases)
  func stormOfRefused(wire: Workplace.Wire) throws {
    let place = try Workplace.loggedIn(over: wire)
    try place.lab.expireAccessTokens()
    let outcomes = try storm(place)
    #expect(outcomes.map(\.status) == Array(repeating: 0, count: 30), "\(outcomes.map(\.error).joined())")
    let counters = try place.lab.counters()
    #expect(counters["token.refresh_token"] == 1)
    #expect(counters["reuse_detected"] == nil)
    #expect(counters["api.ok"] == 30)
  }

  @Test("processes of a desktop and of cron, which has no XDG_RUNTIME_DIR, take turns at the same lock")
  func sameLock() throws {
    let place = try expired()
    try place.lab.fail(#"{"endpoint":"token","kind":"delay","milliseconds":400,"count":1}"#)
    // A different one each: the lock must not depend on it.
    let runs = try (0..<6).map { number in
      try place.start(["call", "me"], environment: ["XDG_RUNTIME_DIR": number % 2 == 0 ? nil : "/nowhere\(number)"])
    }
    #expect(try runs.map { try $0.wait().status } == [0, 0, 0, 0, 0, 0])
    #expect(try place.lab.count("token.refresh_token") == 1)
  }

  @Test(
    "a signal during a refresh: the new pair is saved first, then the status is that of the signal",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func signal(number: Int32) throws {
    let place = try Workplace.loggedIn()
    let before = try place.stored()
    try place.holdRefresh()
    let run = try place.start(["refresh", "work"])
    try Waiting.until("the exchange") { try place.lab.count("token.refresh_token") == 1 }
    run.send(number)
    let outcome = try run.wait()
    #expect(outcome.status == 128 + number, "\(outcome.error)")
    try place.lab.clearFaults()
    #expect(try place.stored() != before)
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try place.lab.count("reuse_detected") == 0)
  }

  @Test("a signal while the API is slow ends the call at once")
  func signalDuringCall() throws {
    let place = try Workplace.loggedIn()
    // Longer than the end is waited for.
    let run = try place.start(["call", "slow?ms=600000"])
    try Waiting.until("the request") { try place.lab.count("api") == 1 }
    run.send(SIGINT)
    let outcome = try run.wait()
    #expect(outcome.status == 130)
  }

  @Test("50 processes say that one token was refused: one exchange, and all get the same new token")
  func stormOfRefusals() throws {
    let place = try Workplace.loggedIn()
    let token = try #require(try place.pair().string("access_token"))
    let runs = try (0..<50).map { _ in try place.start(["token", "--refused", "-"], input: .text(token)) }
    let outcomes = try runs.map { try $0.wait() }
    #expect(outcomes.allSatisfy { $0.status == 0 }, "\(outcomes.map(\.error).joined())")
    #expect(Set(outcomes.map(\.text)) == [try #require(try place.pair().string("access_token")) + "\n"])
    #expect(outcomes[0].text != token + "\n")
    #expect(try place.lab.count("token.refresh_token") == 1)
  }
}
