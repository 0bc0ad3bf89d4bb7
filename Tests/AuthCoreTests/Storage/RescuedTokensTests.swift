import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("RescuedTokens", .timeLimit(.minutes(20)))
struct RescuedTokensTests {
  private let folder: TemporaryDirectory
  private let lock: FileLock
  private let events = EventLog()
  private let old = samplePair(life: 0).beginning("S1")
  private let new = samplePair(access: "A2", refresh: "R2").beginning("S1")

  init() throws {
    folder = try TemporaryDirectory()
    lock = FileLock(folder.path.appending("work.lock"))
  }

  private func manager(
    _ secrets: MemorySecrets, _ rescue: MemoryRescue, _ refresher: FakeRefresher? = nil, pauses: [Duration] = [],
    lock: (any RefreshLock)? = nil
  ) -> TokenManager {
    let never = FakeRefresher { pair throws(RefreshFailure) in
      Issue.record("the server was asked")
      return pair
    }
    return TokenManager(
      storage: SecretTokenStorage(secrets, profile: "work"), lock: lock ?? self.lock, refresher: refresher ?? never,
      rescue: rescue, policy: .init(failureRest: .zero, savePauses: pauses), now: { .sample }, events: events.handler)
  }

  /// A refresh after which the store refuses so often.
  private func refresher(_ secrets: MemorySecrets, refusals: Int) -> FakeRefresher {
    FakeRefresher { [new] _ throws(RefreshFailure) in
      secrets.failNextSaves(refusals)
      return new
    }
  }

  @Test("a keyring without a collection has no pair; a kept pair shows that it had one, and stays kept")
  func noCollection() async throws {
    let secrets = try MemorySecrets(old)
    let rescue = MemoryRescue()
    secrets.fail(.noCollection)
    #expect(try await manager(secrets, rescue).held.load(lock) == nil)
    try rescue.hold(RescuedPair(new, over: old).stored(), for: "work")
    let error = await #expect(throws: AuthError.self) { try await manager(secrets, rescue).held.load(lock) }
    #expect(error?.explanation.why.contains("are kept in a safe place") == true)
    #expect(try rescue.pair == new)
    secrets.fail(nil)
    #expect(try await manager(secrets, rescue).held.load(lock)?.uncounted == new)
  }

  @Test(
    "a pair that the store refuses after the refresh is rescued and used; the next load stores it, without a refresh")
  func held() async throws {
    let secrets = try MemorySecrets(old)
    let rescue = MemoryRescue()
    let refresher = refresher(secrets, refusals: 1)
    #expect(try await manager(secrets, rescue, refresher).token().uncounted == new)
    #expect(try rescue.pair == new)
    #expect(try secrets.pair?.accessToken == old.accessToken)
    let why =
      "it refuses; the refreshed tokens are kept in a safe place until they can be stored; "
      + "a reboot loses them"
    #expect(events.events.contains(.warning("the keyring: \(why)")))

    #expect(try await manager(secrets, rescue).token().uncounted == new)
    #expect(try secrets.pair == new)
    #expect(try rescue.pair == nil)
    #expect(refresher.calls == 1)
    #expect(events.events.contains(.putBack(access: new.fingerprint)))
  }

  @Test("a requested refresh is done when it is stored: else it fails and says where the tokens are")
  func asked() async throws {
    let secrets = try MemorySecrets(old)
    let rescue = MemoryRescue()
    let manager = manager(secrets, rescue, refresher(secrets, refusals: 100))
    do throws(AuthError) {
      _ = try await manager.refresh()
      Issue.record("it is not stored")
    } catch {
      guard case .storage(.refused, let explanation) = error else { throw error }
      #expect(explanation.why.contains("are kept in a safe place until they can be stored"))
    }
    #expect(try rescue.pair == new)
  }

  @Test("a store that takes the pair right after the rescue has it, and the refresh is done")
  func askedAndStored() async throws {
    let secrets = try MemorySecrets(old)
    let rescue = MemoryRescue()
    #expect(try await manager(secrets, rescue, refresher(secrets, refusals: 1)).refresh().uncounted == new)
    #expect(try secrets.pair == new)
    #expect(try rescue.pair == nil)
  }

  @Test("a requested refresh waits for the process that has refreshed: it may hold the lock a little longer")
  func askedAndHeld() async throws {
    for isReleased in [true, false] {
      let secrets = try MemorySecrets(old)
      let rescue = MemoryRescue()
      let lingering = LingeringLock(lock, isReleased: isReleased)
      let manager = manager(secrets, rescue, refresher(secrets, refusals: 1), lock: lingering)
      if isReleased {
        #expect(try await manager.refresh().uncounted == new)
        #expect(try secrets.pair == new)
      } else {
        let error = await #expect(throws: AuthError.self) { try await manager.refresh() }
        #expect(error?.explanation.what == AuthError.lockTimedOut("work").explanation.what)
        #expect(try rescue.pair == new)
      }
    }
  }

  @Test("without a rescue, storing is tried again; in the end the error says what is lost and why")
  func refused() async throws {
    let rescue = MemoryRescue(refusing: .notAllowed("no keys here"))
    let secrets = try MemorySecrets(old)
    #expect(try await manager(secrets, rescue, refresher(secrets, refusals: 2), pauses: [.zero, .zero]).token() == new)
    #expect(try secrets.pair == new)

    let others = try MemorySecrets(old)
    do throws(AuthError) {
      _ = try await manager(others, rescue, refresher(others, refusals: 2), pauses: [.zero]).token()
      Issue.record("it is not stored")
    } catch {
      #expect(
        error.explanation.why.hasSuffix("refreshed the tokens, and there is no other place to keep them (no keys here)")
      )
    }
  }

  /// What is stored after a look, when `held` was got for `former` and could not be stored.
  private func look(_ stored: TokenPair?, _ held: TokenPair, over former: TokenPair) async throws -> TokenPair? {
    let secrets = try stored.map { try MemorySecrets($0) } ?? MemorySecrets()
    let rescue = try MemoryRescue(held, over: former)
    let tokens = RescuedTokens(
      session: "work", storage: SecretTokenStorage(secrets, profile: "work"), rescue: rescue, events: events.handler)
    let seen = try await tokens.load(lock)
    #expect(try rescue.pair == nil)
    #expect(try secrets.pair == seen?.uncounted)
    return seen?.uncounted
  }

  @Test("a held pair takes the place of the one it was got for, marked or not, also within the same second")
  func successor() async throws {
    #expect(try await look(old, new, over: old) == new)
    var marked = old
    marked.refreshBegan = .sample
    #expect(try await look(marked, new, over: old) == new)
  }

  @Test("a rescued pair replaces no other pair, whatever the clock says, and not itself", arguments: [-5, 5])
  func order(seconds: Double) async throws {
    var other = samplePair(access: "A3", refresh: "R3").beginning("S1")
    other.issuedAt = .sample.addingTimeInterval(seconds)
    #expect(try await look(other, new, over: old) == other)
    var changed = new
    changed.lastError = .init(error: "invalid_grant", at: .sample, final: true)
    #expect(try await look(changed, new, over: old) == changed)
  }

  @Test("a session that was ended is not brought back, and a new login is not undone (invariant 7)")
  func ended() async throws {
    #expect(try await look(nil, new, over: old) == nil)
    let login = samplePair(access: "A9", refresh: "R9").beginning("S2")
    #expect(try await look(login, new, over: old) == login)
  }

  @Test("while another process has the lock, a read neither waits nor writes")
  func busy() async throws {
    let secrets = try MemorySecrets(old)
    let rescue = try MemoryRescue(new, over: old)
    let tokens = RescuedTokens(
      session: "work", storage: SecretTokenStorage(secrets, profile: "work"), rescue: rescue, events: events.handler)
    let other = FileLock(folder.path.appending("work.lock"))
    let seen = try await other.withLock(.exclusive, deadline: .zero) { [lock] _ throws(AuthError) in
      try await tokens.load(lock)
    }
    #expect(seen == .some(old))
    #expect(try rescue.pair == new)
    #expect(secrets.saves == 0)
  }

  @Test("a logout revokes the pair that waits, and forgets it; a login forgets it")
  func sessionsEnd() async throws {
    for isLogin in [false, true] {
      let rescue = try MemoryRescue(new, over: old)
      let secrets = try MemorySecrets(old)
      let transport = ScriptedTransport([.response(200), .response(200)])
      let session = TokenSession(
        try sampleProfile(), connection: connection(transport), secrets: secrets, lock: lock, rescue: rescue)
      if isLogin {
        try await session.logIn(with: samplePair(access: "A9", refresh: "R9"))
        #expect(try secrets.pair?.accessToken == Secret("A9"))
      } else {
        #expect(try await session.logOutWithOutcome(localOnly: false) == .done(revoked: true))
        #expect(try secrets.pair == nil)
      }
      #expect(try rescue.pair == nil)
      #expect(transport.requests.first?.form.first == "token=R2")
    }
  }
}

/// A lock that its first holder keeps after its work: others get it only if they wait, or not at all.
private final class LingeringLock: RefreshLock {
  private let lock: FileLock
  private let isReleased: Bool
  private let isTaken = Atomic(false)

  init(_ lock: FileLock, isReleased: Bool) {
    self.lock = lock
    self.isReleased = isReleased
  }

  func withLock<Result: Sendable>(
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result? {
    let isFirst = !isTaken.exchange(true, ordering: .relaxed)
    guard isFirst || (isReleased && deadline > .zero) else { return nil }
    return try await lock.withLock(access, deadline: deadline, body)
  }
}
