import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("TokenManager", .timeLimit(.minutes(20)))
struct TokenManagerTests {
  private let folder: TemporaryDirectory
  private let lock: CountingLock
  private let events = EventLog()

  init() throws {
    folder = try TemporaryDirectory()
    lock = CountingLock(FileLock(folder.path.appending("work.lock")))
  }

  private func manager(
    _ secrets: MemorySecrets, _ refresher: FakeRefresher,
    policy: RefreshPolicy = .init(patience: .seconds(600), failureRest: .zero, savePauses: [])
  ) -> TokenManager {
    TokenManager(
      storage: SecretTokenStorage(secrets, profile: "work"), lock: lock, refresher: refresher,
      policy: policy,
      now: { .sample }, events: events.handler)
  }

  private static let refreshed = samplePair(access: "A2", refresh: "R2")
  private static let unreachable = AuthError.tryLater(.init("refreshing", why: "no network", hint: "later"))

  /// A refresher that must not be called.
  private func never() -> FakeRefresher {
    FakeRefresher { pair throws(RefreshFailure) in
      Issue.record("the server was asked")
      return pair
    }
  }

  private func good() -> FakeRefresher { FakeRefresher { _ throws(RefreshFailure) in TokenManagerTests.refreshed } }

  private func failing(_ failure: RefreshFailure = .other(TokenManagerTests.unreachable)) -> FakeRefresher {
    FakeRefresher { _ throws(RefreshFailure) in throw failure }
  }

  @Test(
    "a token that is valid for long enough is used: one load, no lock, no refresh, no write (invariant 1)",
    arguments: [3600, 61, 60, nil] as [Double?])
  func valid(life: Double?) async throws {
    let pair = samplePair(life: life)
    let secrets = try MemorySecrets(pair)
    let given = try await manager(secrets, never()).token()
    #expect(given == pair)
    #expect(secrets.loads == 1)
    #expect(secrets.saves == 0)
    #expect(lock.uses == 0)
  }

  @Test("a missing login is reported, without a lock or a refresh")
  func loggedOut() async throws {
    let manager = manager(MemorySecrets(), never())
    let error = AuthError.loginRequired(
      .init("session work", why: "not logged in", remedy: .logIn(session: "work"), reason: .notLoggedIn))
    await #expect(throws: error) { try await manager.token() }
    await #expect(throws: error) { try await manager.refresh() }
    #expect(lock.uses == 0)
  }

  @Test("an expired token is refreshed, and saved before it is returned (invariant 4)", arguments: [0, -10])
  func expired(life: Double) async throws {
    let secrets = try MemorySecrets(samplePair(life: life))
    let refresher = good()
    let given = try await manager(secrets, refresher).token()
    #expect(given == TokenManagerTests.refreshed)
    #expect(try secrets.pair == TokenManagerTests.refreshed)
    #expect(refresher.calls == 1)
    #expect(
      events.events.suffix(2) == [
        .refreshed(access: Secret("A2").fingerprint, refreshTokenRotated: true, expiresAt: given.expiresAt),
        .saved(access: Secret("A2").fingerprint),
      ])
  }

  @Test(
    "a token is refreshed before it expires, a short-lived one in its last quarter (real-servers.md, 5)",
    arguments: [
      (1800, 59, nil, true), (1800, 60, nil, false), (40, 9, nil, true), (40, 11, nil, false),
      (1800, 500, 600, true), (1800, 600, 600, false), (1800, 30, 10, false),
    ] as [(Double, Double, Int?, Bool)])
  func proactive(life: Double, left: Double, minValidity: Int?, expected: Bool) async throws {
    var pair = samplePair(life: left)
    pair.issuedAt = .sample.addingTimeInterval(left - life)
    let refresher = good()
    let given = try await manager(MemorySecrets(pair), refresher).token(minValidity: minValidity.map { .seconds($0) })
    #expect(given.accessToken == Secret(expected ? "A2" : "A1"))
    #expect(refresher.calls == (expected ? 1 : 0))
  }

  @Test(
    "an event says why a token is used without a refresh",
    arguments: [
      (1800, nil, nil, "valid for another 30m; refreshed if less than 1m is left"),
      (1800, 600, nil, "valid for another 30m; refreshed if less than 10m is left"),
      (nil, nil, nil, "its expiry is unknown; it is refreshed after the API refuses it"),
      (10, nil, "A0", "not the token that was refused; valid for another 10s"),
    ] as [(Double?, Int?, String?, String)])
  func reasonToUse(life: Double?, minValidity: Int?, rejected: String?, reason: String) async throws {
    let manager = manager(try MemorySecrets(samplePair(life: life)), never())
    _ = try await manager.token(replacing: rejected.map { Secret($0) }, minValidity: minValidity.map { .seconds($0) })
    #expect(events.events.last == .usable(access: Secret("A1").fingerprint, because: reason))
  }

  @Test("an event says that a token which expires soon can't be refreshed")
  func withoutRefresh() async throws {
    var pair = samplePair(refresh: nil, life: 30)
    pair.issuedAt = .sample.addingTimeInterval(-1000)
    let refresher = FakeRefresher(able: false) { _ throws(RefreshFailure) in TokenManagerTests.refreshed }
    let manager = manager(try MemorySecrets(pair), refresher)
    #expect(try await manager.token().accessToken == Secret("A1"))
    let reason = "the token is valid for less than 1m, and can't be refreshed"
    #expect(events.events.last == .usable(access: Secret("A1").fingerprint, because: reason))
  }

  @Test("a token that the API has refused is refreshed, however long it is valid (real-servers.md, 22)")
  func rejected() async throws {
    let refresher = good()
    let given = try await manager(MemorySecrets(samplePair(life: nil)), refresher).token(replacing: Secret("A1"))
    #expect(given.accessToken == Secret("A2"))
    #expect(refresher.calls == 1)
  }

  @Test("any other token than the refused one is used, unless it has expired", arguments: [(10, "A1"), (-1, "A2")])
  func otherThanRejected(life: Double, expected: String) async throws {
    let refresher = good()
    let given = try await manager(MemorySecrets(samplePair(life: life)), refresher).token(replacing: Secret("A0"))
    #expect(given.accessToken == Secret(expected))
    #expect(refresher.calls == (expected == "A2" ? 1 : 0))
  }

  @Test("1,000 tasks with an expired token cause one refresh (invariant 2)")
  func singleFlight() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let refresher = good()
    let manager = manager(secrets, refresher)
    let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<1000 { group.addTask { try await manager.token().accessToken } }
      return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
    }
    #expect(tokens == [Secret("A2")])
    #expect(refresher.calls == 1)
    // The mark, then the pair.
    #expect(secrets.saves == 2)
  }

  @Test("20 managers, as of as many processes, cause one refresh; the others adopt its result (invariant 2)")
  func manyManagers() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let refresher = good()
    let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<20 {
        let manager = manager(secrets, refresher)
        group.addTask { try await manager.token(replacing: Secret("A1")).accessToken }
      }
      return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
    }
    #expect(tokens == [Secret("A2")])
    #expect(refresher.calls == 1)
  }

  @Test("a pair that another process has saved during the wait for the lock is adopted")
  func adoption() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let gate = Gate()
    let held = Gate()
    let other = Task { [lock] in
      try await lock.withLock(.exclusive, deadline: .seconds(600)) { _ throws(AuthError) in
        held.open()
        await gate.pass()
        do {
          var refreshed = TokenManagerTests.refreshed
          refreshed.lastRefresh = .sample
          refreshed.change = TokenPair.Change(number: 2, process: RefreshingProcess(pid: 7, isInBackground: true))
          secrets.put(try refreshed.stored(), as: .workTokens)
        } catch {
          throw .failed(.init("", why: "", hint: ""))
        }
      }
    }
    await held.pass()
    let handler = events.handler
    let manager = TokenManager(
      storage: SecretTokenStorage(secrets, profile: "work"), lock: lock, refresher: never(),
      policy: .init(), now: { .sample },
      events: { event in
        handler(event)
        if event == .waiting { gate.open() }
      })
    #expect(try await manager.token().accessToken == Secret("A2"))
    let process = RefreshingProcess(pid: 7, isInBackground: true)
    #expect(events.events.contains(.adopted(access: Secret("A2").fingerprint, by: process, age: 0)))
    #expect(secrets.saves == 0)
    _ = try await other.value
  }

  @Test("the wait for another process's refresh has a deadline (invariant 11)")
  func lockDeadline() async throws {
    let gate = Gate()
    let held = Gate()
    let other = Task { [lock] in
      try await lock.withLock(.exclusive, deadline: .zero) { _ throws(AuthError) in
        held.open()
        await gate.pass()
      }
    }
    await held.pass()
    let secrets = try MemorySecrets(samplePair(life: -1))
    let manager = manager(secrets, never(), policy: .init(lockDeadline: .milliseconds(50)))
    await #expect(
      throws: AuthError.tryLater(
        .init(
          "session work", why: "another process has been refreshing its tokens for too long",
          hint: "try again; if it happens again, look for a process that hangs"))
    ) { try await manager.token() }
    gate.open()
    _ = try await other.value
  }

  @Test("a logout during the wait for the lock is not undone")
  func loggedOutMeanwhile() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let manager = TokenManager(
      storage: SecretTokenStorage(secrets, profile: "work"), lock: lock, refresher: never(), policy: .init(),
      now: { .sample },
      events: { event in if case .loaded = event { secrets.put(nil, as: .workTokens) } })
    await #expect(
      throws: AuthError.loginRequired(
        .init(
          "session work", why: "it was logged out in the meantime", remedy: .logIn(session: "work"),
          reason: .notLoggedIn))
    ) { try await manager.token() }
    #expect(secrets.items.isEmpty)
  }

  @Test("a dead refresh token is remembered and not asked for again, the pair stays (invariant 6)")
  func dead() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let explanation = AuthError.Explanation(
      "refreshing", why: "refused", hint: "log in", serverError: "invalid_grant", reason: .refused)
    let refresher = failing(.refreshTokenDead("invalid_grant", explanation))
    await #expect(throws: AuthError.loginRequired(explanation)) { try await manager(secrets, refresher).token() }
    var expected = samplePair(life: -1)
    expected.lastError = .init(error: "invalid_grant", at: .sample, final: true)
    #expect(try secrets.pair == expected)
    // As the next process would.
    await #expect(
      throws: AuthError.loginRequired(
        .init(
          "session work", why: "the server has refused the refresh token (invalid_grant)",
          remedy: .logIn(session: "work"), reason: .refused))
    ) { try await manager(secrets, refresher).token() }
    #expect(refresher.calls == 1)
    #expect(secrets.saves == 2)
  }

  @Test("a refused access token whose refresh token is dead is never returned (invariant 8)")
  func refused() async throws {
    let secrets = try MemorySecrets(samplePair())
    let explanation = AuthError.Explanation(
      "renewing", why: "refused", hint: "log in", serverError: "invalid_grant", serverErrorDescription: "gone",
      reason: .refused)
    let refresher = failing(.refreshTokenDead("invalid_grant", explanation))
    await #expect(throws: AuthError.loginRequired(explanation)) {
      try await manager(secrets, refresher).token(replacing: Secret("A1"))
    }
    var expected = samplePair()
    expected.lastError = .init(error: "invalid_grant", description: "gone", at: .sample, final: true)
    expected.accessTokenRefusedAt = .sample
    #expect(try secrets.pair == expected)
    let saves = secrets.saves
    #expect(saves == 2, "the mark of the refresh, then both refusals in one write")
    let ask: [@Sendable (TokenManager) async throws -> TokenPair] = [
      { try await $0.token() }, { try await $0.token(minValidity: .zero) },
      { try await $0.token(replacing: Secret("A1")) }, { try await $0.refresh() },
    ]
    for ask in ask {
      await #expect(
        throws: AuthError.loginRequired(
          .init(
            "session work",
            why:
              "the API refused the access token, and the authorization server refused the refresh token "
              + "(invalid_grant)",
            remedy: .logIn(session: "work"), reason: .refused))
      ) { try await ask(manager(secrets, refresher)) }
    }
    #expect(refresher.calls == 1)
    #expect(secrets.saves == saves)
  }

  @Test("a dead refresh token alone does not take a valid access token away, nor a refused token with a live one")
  func halfDead() async throws {
    var pair = samplePair()
    pair.lastError = .init(error: "invalid_grant", at: .sample, final: true)
    #expect(try await manager(MemorySecrets(pair), never()).token() == pair)
    let secrets = try MemorySecrets(samplePair())
    await #expect(throws: TokenManagerTests.unreachable) {
      try await manager(secrets, failing()).token(replacing: Secret("A1"))
    }
    #expect(try secrets.pair == samplePair())
  }

  @Test("a refused refresh token that another process has replaced needs no new login (invariant 6)")
  func deadButReplaced() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let explanation = AuthError.Explanation("refreshing", why: "refused", hint: "log in")
    let refresher = FakeRefresher { _ throws(RefreshFailure) in
      do { secrets.put(try TokenManagerTests.refreshed.stored(), as: .workTokens) } catch {}
      throw .refreshTokenDead("invalid_grant", explanation)
    }
    #expect(try await manager(secrets, refresher).token() == TokenManagerTests.refreshed)
    // The mark alone.
    #expect(secrets.saves == 1)
  }

  @Test("a network failure leaves what is stored as it is, byte for byte (invariant 6)")
  func networkFailure() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let before = secrets.items
    await #expect(throws: TokenManagerTests.unreachable) { try await manager(secrets, failing()).token() }
    #expect(secrets.items == before)
    #expect(secrets.saves == 2)
  }

  @Test("a token that is still valid is returned if its refresh fails")
  func stillValid() async throws {
    let pair = TokenManagerTests.nearItsEnd
    let refresher = failing()
    #expect(try await manager(MemorySecrets(pair), refresher).token() == pair)
    #expect(refresher.calls == 1)
    #expect(
      events.events.last == .warning("refreshing: no network; the token is still valid and used"))
  }

  @Test("a token that is valid for less than requested is not returned if its refresh fails")
  func demanded() async throws {
    let secrets = try MemorySecrets(TokenManagerTests.nearItsEnd)
    await #expect(throws: TokenManagerTests.unreachable) {
      try await manager(secrets, failing()).token(minValidity: .seconds(60))
    }
  }

  /// A token of one hour of which 30 seconds are left.
  private static var nearItsEnd: TokenPair {
    var pair = samplePair(life: 30)
    pair.issuedAt = .sample.addingTimeInterval(-3570)
    return pair
  }

  @Test("a token that cannot be refreshed is used until it expires, without a lock")
  func unrenewable() async throws {
    let refresher = FakeRefresher(able: false) { pair throws(RefreshFailure) in pair }
    let pair = TokenManagerTests.nearItsEnd
    #expect(try await manager(MemorySecrets(pair), refresher).token() == pair)
    #expect(refresher.calls == 0)
    #expect(lock.uses == 0)
  }

  @Test("a hanging refresh does not delay a valid token; it continues and its result is kept")
  func patience() async throws {
    let gate = Gate()
    let refresher = FakeRefresher { _ throws(RefreshFailure) in
      await gate.pass()
      return TokenManagerTests.refreshed
    }
    let secrets = try MemorySecrets(TokenManagerTests.nearItsEnd)
    let manager = manager(secrets, refresher, policy: .init(patience: .milliseconds(20)))
    let given = try await manager.token()
    #expect(given.accessToken == Secret("A1"))
    #expect(try secrets.pair?.accessToken == Secret("A1"))
    gate.open()
    await manager.finishRefresh()
    #expect(try secrets.pair == TokenManagerTests.refreshed)
  }

  @Test("a quick refresh is awaited")
  func quick() async throws {
    let secrets = try MemorySecrets(TokenManagerTests.nearItsEnd)
    let manager = manager(secrets, good(), policy: .init(patience: .seconds(600)))
    #expect(try await manager.token() == TokenManagerTests.refreshed)
  }

  @Test("the cancellation of the caller does not cancel the refresh (invariant 4)")
  func cancellation() async throws {
    let gate = Gate()
    let begun = Gate()
    let refresher = FakeRefresher { _ throws(RefreshFailure) in
      begun.open()
      await gate.pass()
      if Task.isCancelled { Issue.record("the exchange was cancelled") }
      return TokenManagerTests.refreshed
    }
    let secrets = try MemorySecrets(samplePair(life: -1))
    let manager = manager(secrets, refresher)
    let asking = Task { try await manager.token() }
    await begun.pass()
    asking.cancel()
    gate.open()
    _ = try? await asking.value
    await manager.finishRefresh()
    #expect(try secrets.pair == TokenManagerTests.refreshed)
    #expect(refresher.calls == 1)
  }

  @Test("a pair that could not be saved is saved again before it is given out (invariant 4)")
  func saveRetried() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let refresher = FakeRefresher { _ throws(RefreshFailure) in
      secrets.failNextSaves(2)
      return TokenManagerTests.refreshed
    }
    let manager = manager(secrets, refresher, policy: .init(savePauses: [.milliseconds(1), .milliseconds(2)]))
    #expect(try await manager.token() == TokenManagerTests.refreshed)
    #expect(try secrets.pair == TokenManagerTests.refreshed)
    #expect(secrets.saves == 4)
    #expect(events.events.contains(.retrying(reason: "the keyring: it refuses", pause: 0.002)))
  }

  @Test("a store that keeps failing is reported, and the token is not returned")
  func saveFails() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let refresher = FakeRefresher { _ throws(RefreshFailure) in
      secrets.failNextSaves(3)
      return TokenManagerTests.refreshed
    }
    let manager = manager(secrets, refresher, policy: .init(savePauses: [.milliseconds(1), .milliseconds(1)]))
    let told = MemorySecrets.fault.explained {
      $0.why +=
        "; the server has refreshed the tokens, and there is no other place to keep them "
        + "(nothing is kept outside the store)"
    }
    await #expect(throws: told) { try await manager.token() }
    #expect(secrets.saves == 4)
    #expect(try secrets.pair?.refreshBegan == .sample)
  }

  @Test("a refresh that changes nothing leaves the item unchanged, byte for byte (invariant 5)")
  func unchanged() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let before = secrets.items
    let refresher = FakeRefresher { pair throws(RefreshFailure) in pair }
    _ = try await manager(secrets, refresher).refresh()
    #expect(refresher.calls == 1)
    #expect(secrets.items == before)
  }

  @Test("a forced refresh replaces a token however long it is valid")
  func forced() async throws {
    let secrets = try MemorySecrets(samplePair())
    #expect(try await manager(secrets, good()).refresh() == TokenManagerTests.refreshed)
    #expect(try secrets.pair == TokenManagerTests.refreshed)
  }

  @Test("after a failed refresh the next request starts another")
  func again() async throws {
    let secrets = try MemorySecrets(samplePair(life: -1))
    let refresher = failing()
    let manager = manager(secrets, refresher)
    for _ in 0..<2 { await #expect(throws: TokenManagerTests.unreachable) { try await manager.token() } }
    #expect(refresher.calls == 2)
  }

  @Test(
    "a store that can't be read is reported, and nothing is sent",
    arguments: [
      (
        #"{"version":2}"#,
        AuthError.Explanation(
          "the stored tokens of work", why: "it was written by a later version (format 2)",
          hint: "use the later version")
      ),
      (
        "A1",
        AuthError.Explanation(
          "the stored tokens of work", why: "it is not a stored token pair", remedy: .logIn(session: "work"))
      ),
    ])
  func damaged(text: String, explanation: AuthError.Explanation) async throws {
    let manager = manager(MemorySecrets([.workTokens: Secret(text)]), never())
    await #expect(throws: AuthError.storage(.damaged, explanation)) { try await manager.token() }
  }
}
