import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("ClosureRefresher and ClosureRevocation")
struct ClosureRefresherTests {
  struct Strange: Error {}

  private func failure(of refresher: ClosureRefresher, _ pair: TokenPair = samplePair()) async throws -> RefreshFailure
  {
    let refreshed: TokenPair
    do throws(RefreshFailure) {
      refreshed = try await refresher.refresh(pair)
    } catch {
      return error
    }
    throw Unexpected(refreshed.fingerprint)
  }

  @Test("the closure gets the old pair; the new one belongs to the same session")
  func refreshed() async throws {
    let later = Date.sample.addingTimeInterval(100)
    let refresher = ClosureRefresher(now: { .sample }) { pair in
      #expect(pair == samplePair())
      return TokenPair(accessToken: Secret("A2"), refreshToken: Secret("R2"), issuedAt: later)
    }
    let pair = try await refresher.refresh(samplePair())
    #expect(pair.accessToken == Secret("A2") && pair.refreshToken == Secret("R2"))
    #expect(pair.loggedInAt == .sample && pair.lastRefresh == later)
  }

  @Test("a response without a refresh token keeps the old one (RFC 6749, section 6)")
  func kept() async throws {
    let refresher = ClosureRefresher(now: { .sample }) { pair in
      pair.refreshed(by: TokenResponse(accessToken: Secret("A2"), expiresIn: 60), sentAt: .sample)
    }
    let pair = try await refresher.refresh(samplePair())
    #expect(pair.refreshToken == Secret("R1"))
    #expect(pair.expiresAt == Date.sample.addingTimeInterval(60))
  }

  @Test("a refresh token within the margin of its end is not sent", arguments: [(50.0, false), (70.0, true)])
  func margin(left: Double, isSent: Bool) async throws {
    var pair = samplePair()
    pair.refreshExpiresAt = Date.sample.addingTimeInterval(left)
    let refresher = ClosureRefresher(refreshTokenMargin: .seconds(60), now: { .sample }) { _ in throw Strange() }
    #expect(refresher.canRefresh(pair) == isSent)
    let error = try await failure(of: refresher, pair).reason
    if isSent {
      guard case .tryLater = error else { throw Unexpected(error) }
    } else {
      guard case .loginRequired(let explanation) = error else { throw Unexpected(error) }
      #expect(explanation.why == "the refresh token has expired or expires within the refresh token margin")
    }
    var isRefused = false
    do { try refresher.check(pair) } catch { isRefused = true }
    #expect(isRefused != isSent)
  }

  @Test("without a margin a refresh token that has expired by the local clock is sent: the server decides")
  func expired() async throws {
    var pair = samplePair()
    pair.refreshExpiresAt = Date.sample.addingTimeInterval(-1)
    let refresher = ClosureRefresher(now: { .sample }) { pair in
      TokenPair(accessToken: Secret("A2"), refreshToken: pair.refreshToken, issuedAt: .sample)
    }
    #expect(!refresher.canRefresh(pair))
    #expect(try await refresher.refresh(pair).accessToken == Secret("A2"))
  }

  @Test("without a refresh token, or with a dead one, the closure is not asked")
  func notAsked() async throws {
    let refresher = ClosureRefresher(now: { .sample }) { _ in throw Unexpected("asked") }
    var dead = samplePair()
    dead.lastError = .init(error: "invalid_grant", at: .sample, final: true)
    for (pair, word) in [(samplePair(refresh: nil), "no refresh token"), (dead, "has refused")] {
      guard case .other(.loginRequired(let explanation)) = try await failure(of: refresher, pair) else {
        throw Unexpected(pair.fingerprint)
      }
      #expect(explanation.why.contains(word))
    }
  }

  @Test(
    "an error of the closure that means a dead refresh token",
    arguments: [
      (RefreshFailure.dead("gone"), "gone"),
      (APIError.server(ServerFailure(.made(401, #"{"code":"REFRESH_TOKEN_EXPIRED"}"#))), "REFRESH_TOKEN_EXPIRED"),
      (APIError.server(ServerFailure(.made(400))), "400"),
      (AuthError.loginRequired(.init("a", why: "b", hint: "c", serverError: "x")), "x"),
    ] as [(any Error & Sendable, String)])
  func dead(thrown: any Error & Sendable, code: String) async throws {
    let refresher = ClosureRefresher(now: { .sample }) { _ in throw thrown }
    guard case .refreshTokenDead(let said, _) = try await failure(of: refresher) else { throw Unexpected(thrown) }
    #expect(said == code)
  }

  /// What is known of the pair after a failure.
  enum Pair {
    case asGoodAsItWas
    case maybeSpent
    case toBeLeftAlone(Double)
  }

  @Test(
    "any other error keeps the pair, and says whether its refresh token may be spent",
    arguments: [
      (APIError.server(ServerFailure(.made(503))), true, .asGoodAsItWas),
      (APIError.server(ServerFailure(.made(429, fields: [.retryAfter: "7"]))), true, .toBeLeftAlone(7)),
      (APIError.server(ServerFailure(.made(403))), false, .asGoodAsItWas),
      (APIError.noResponse(.broken(detail: "x")), true, .maybeSpent),
      (APIError.transport(.unreachable(detail: "x")), true, .asGoodAsItWas),
      (APIError.noData(status: 200), true, .maybeSpent),
      (APIError.undecodable(reason: "x", status: 200), true, .maybeSpent),
      (APIError.authentication(.refused(.init("a", why: "b", hint: "c"))), false, .asGoodAsItWas),
      (TransportError.unreachable(detail: "x"), true, .asGoodAsItWas),
      (TransportError.timedOut(detail: "x"), true, .maybeSpent),
      (CancellationError(), true, .maybeSpent), (Strange(), true, .maybeSpent),
      (AuthError.refused(.init("a", why: "b", hint: "c")), false, .asGoodAsItWas),
    ] as [(any Error & Sendable, Bool, Pair)])
  func other(thrown: any Error & Sendable, isForNow: Bool, pair: Pair) async throws {
    let refresher = ClosureRefresher(now: { .sample }) { _ in throw thrown }
    let failure = try await failure(of: refresher)
    switch (failure, pair) {
    case (.other, .asGoodAsItWas), (.uncertain, .maybeSpent): break
    case (.unavailable(_, let seconds), .toBeLeftAlone(let expected)): #expect(seconds == expected)
    default: throw Unexpected(failure)
    }
    switch failure.reason {
    case .tryLater: #expect(isForNow)
    case .refused: #expect(!isForNow)
    default: throw Unexpected(failure)
    }
  }

  @Test("an unknown error is reported by its type only")
  func unknown() async throws {
    struct Telling: Error, CustomStringConvertible { let description = "token A1" }
    let refresher = ClosureRefresher(now: { .sample }) { _ in throw Telling() }
    let error = try await failure(of: refresher).reason
    #expect(error.explanation.why == "it failed (Telling)")
  }

  @Test("a revocation that fails says so")
  func revocation() async throws {
    #expect(try await ClosureRevocation { _ in true }.revoke(samplePair()))
    let failing = ClosureRevocation { _ in throw APIError.server(ServerFailure(.made(403))) }
    let error = await #expect(throws: AuthError.self) { try await failing.revoke(samplePair()) }
    #expect(error?.explanation.what == "revoking the tokens" && error?.explanation.why == "the server returned 403")
  }
}
