import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("TokenPair and the clocks")
struct TokenPairClockTests {
  private static let day = 86400.0
  private let clocks = SetClocks()

  /// A pair of a response that was sent at the sample time, which the server's clock calls another one.
  private func pair(_ response: TokenResponse, ahead: Double) -> TokenPair {
    let clock = IssuanceClock(sent: clocks.reading, received: clocks.reading, serverDate: .sample + ahead)
    return TokenPair(
      response, sentAt: .sample, serverDate: .sample + ahead, lifetime: nil, server: nil, clock: clock)
  }

  private func hour(ahead: Double = 0) -> TokenPair {
    pair(
      TokenResponse(accessToken: Secret("A"), refreshToken: Secret("R"), expiresIn: 3600, refreshExpiresIn: 7200),
      ahead: ahead)
  }

  @Test(
    "the dates of a pair are the server's where its clock differs, and time is left by them",
    arguments: [0, 3 * day, -3 * day])
  func serverTime(ahead: Double) {
    let pair = hour(ahead: ahead)
    #expect(pair.issuedAt == .sample + ahead && pair.loggedInAt == .sample + ahead)
    #expect(pair.expiresAt == .sample + 3600 + ahead && pair.refreshExpiresAt == .sample + 7200 + ahead)
    #expect(pair.remaining(at: .sample) == 3600 && pair.refreshRemaining(at: .sample) == 7200)
  }

  @Test("the exp of a JWT is the server's word, whatever the local clock", arguments: [0, 3 * day, -3 * day])
  func jwtExpiry(ahead: Double) {
    let exp = Date.sample + ahead + 600
    let pair = pair(TokenResponse(accessToken: jwt("{\"exp\":\(Int(exp.timeIntervalSince1970))}")), ahead: ahead)
    #expect(pair.expiresAt == exp)
    #expect(abs((pair.remaining(at: .sample) ?? 0) - 600) <= 1)
  }

  @Test(
    "an access token counts by the latest time that it may be, a refresh token by the earliest",
    arguments: [
      (0, 0, false, 3000, 6600), (0, -3 * day, false, 3000, 6600), (3 * day, 0, false, 3000, 6600),
      (3 * day, 3 * day, false, 3000, 6600), (0, 3 * day, false, 3000 - 3 * day, 6600),
      (3 * day, 0, true, 3000, 6600 + 3 * day), (0, -3 * day, true, 0, 7200),
      (0, 3 * day, true, 3000 - 3 * day, 6600 - 3 * day),
    ] as [(Double, Double, Bool, Double, Double)])
  func left(ahead: Double, set: Double, restarts: Bool, access: Double, refresh: Double) {
    let pair = hour(ahead: ahead)
    clocks.pass(600)
    clocks.set(set)
    if restarts { clocks.restart() }
    let now = clocks.reading.time
    let read = pair.read(at: clocks.reading)
    #expect(read.remaining(at: now) == access)
    #expect(read.refreshRemaining(at: now) == refresh)
    #expect(read.canRefresh(at: now, margin: .zero) == (refresh > 0), "by \(refresh)")
  }

  @Test(
    "a pair of an earlier version is not believed before its own issuance",
    arguments: [(-60, 3660), (-61, 0)] as [(Double, Double)])
  func withoutClock(set: Double, left: Double) {
    clocks.set(set)
    let read = samplePair().read(at: clocks.reading)
    #expect(read.remaining(at: clocks.reading.time) == left)
  }

  @Test("the clock's state is not part of the pair, and is not written")
  func unchanged() async throws {
    let pair = hour()
    let secrets = try MemorySecrets(pair)
    let before = secrets.items
    clocks.set(-3 * TokenPairClockTests.day)
    let storage = SecretTokenStorage(secrets, profile: "work", clock: { [clocks] in clocks.reading })
    let read = try #require(try await storage.load())
    #expect(read.localClock == .off(by: 3 * TokenPairClockTests.day))
    #expect(read == pair)
    #expect(try await storage.replace(read, with: read))
    #expect(secrets.items == before)
  }

  @Test(
    "a response with the same tokens is written only if that ends a doubt about the clock",
    arguments: [(0, true), (3 * day, false)] as [(Double, Bool)])
  func same(set: Double, expected: Bool) {
    var pair = samplePair()
    pair.clock = IssuanceClock(clocks.reading)
    clocks.pass(5)
    clocks.set(set)
    var refreshed = pair
    refreshed.clock = IssuanceClock(clocks.reading)
    #expect(refreshed.holdsTheSame(as: pair.read(at: clocks.reading)) == expected)
  }
}
