import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("TokenRefresh", .timeLimit(.minutes(20)))
struct TokenRefreshTests {
  private let folder: TemporaryDirectory
  private let path: FilePath
  private let events = EventLog()
  private let revocation = FakeRevocation()

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path.appending("work.lock")
  }

  private static let refreshed = samplePair(access: "A2", refresh: "R2").beginning("S")
  private static let down = AuthError.tryLater(.init("refreshing", why: "no network", hint: "later"))

  private static func stored(_ change: (inout TokenPair) -> Void = { _ in }) -> TokenPair {
    var pair = samplePair(life: -1).beginning("S")
    change(&pair)
    return pair
  }

  private func manager(
    _ secrets: MemorySecrets, rest: Duration = .seconds(100), savePauses: [Duration] = [], _ refresher: FakeRefresher
  ) -> TokenManager {
    TokenManager(
      storage: SecretTokenStorage(secrets, profile: "work"), lock: FileLock(path), refresher: refresher,
      revocation: revocation, policy: .init(patience: .seconds(600), failureRest: rest, savePauses: savePauses),
      now: { .sample }, events: events.handler)
  }

  private static func failing(_ failure: RefreshFailure) -> FakeRefresher {
    FakeRefresher { _ throws(RefreshFailure) in throw failure }
  }

  @Test("a store that can't be written is found out before anything is sent, and the pair stays (invariant 3)")
  func proof() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored())
    let before = secrets.items
    secrets.failNextSaves(1)
    let refresher = FakeRefresher { _ throws(RefreshFailure) in TokenRefreshTests.refreshed }
    await #expect(throws: MemorySecrets.fault) { try await manager(secrets, refresher).token() }
    #expect(refresher.calls == 0)
    #expect(secrets.items == before)
  }

  @Test("while the server is being asked the item says since when, and the old tokens are in it")
  func mark() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored())
    let refresher = FakeRefresher { _ throws(RefreshFailure) in
      let marked = TokenRefreshTests.stored { $0.refreshBegan = .sample }
      #expect((try? secrets.pair) == marked)
      return TokenRefreshTests.refreshed
    }
    _ = try await manager(secrets, refresher).token()
    #expect(try secrets.pair == TokenRefreshTests.refreshed)
  }

  @Test("a pair with which there is nothing to ask is neither marked nor sent")
  func nothingToAsk() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored { $0.refreshToken = nil })
    let transport = ScriptedTransport()
    let session = TokenSession(
      try sampleProfile(), connection: connection(transport, events: events), secrets: secrets, lock: FileLock(path))
    await #expect(
      throws: AuthError.loginRequired(
        .init(
          "session work", why: "there is no refresh token",
          remedy: .logIn(session: "work"), reason: .noRefreshToken))
    ) { try await session.manager.token() }
    #expect(secrets.saves == 0)
    #expect(transport.requests.isEmpty)
  }

  @Test("a logout during the refresh is not undone, and the new tokens are revoked (invariant 7)")
  func loggedOut() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored())
    let refresher = FakeRefresher { _ throws(RefreshFailure) in
      secrets.put(nil, as: .workTokens)
      return TokenRefreshTests.refreshed
    }
    await #expect(throws: AuthError.loggedOut("work")) {
      try await manager(secrets, savePauses: [.milliseconds(1)], refresher).token()
    }
    #expect(secrets.items.isEmpty)
    #expect(revocation.revoked == [Secret("A2")])
  }

  @Test("another login during the refresh is not overwritten, and the new tokens of the old one are revoked")
  func loggedInAnew() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored())
    let other = samplePair(access: "B1", refresh: "Q1").beginning("T")
    let item = try other.stored()
    let refresher = FakeRefresher { _ throws(RefreshFailure) in
      secrets.put(item, as: .workTokens)
      return TokenRefreshTests.refreshed
    }
    #expect(try await manager(secrets, refresher).token() == other)
    #expect(secrets.items[.workTokens] == item)
    #expect(revocation.revoked == [Secret("A2")])
  }

  /// What another process does with the stored pair during a refresh.
  enum Change: CaseIterable {
    case refreshed, loggedIn, loggedOut
  }

  @Test(
    "room that was reserved for the result is given back if another process's pair is used", arguments: Change.allCases)
  func released(change: Change) async throws {
    let key = FilePath("\(folder.path)/key")
    try SealingKey.create(at: key)
    @Sendable func store() -> SealedFileStore {
      SealedFileStore(
        in: folder.path.appending("sessions"), profile: "work",
        key: .file(SecretFile(key.string, what: "the key", credentials: nil)),
        lock: FileLock(folder.path.appending("store.lock")))
    }
    @Sendable func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/sessions").sorted()
    }
    try await store().save(TokenRefreshTests.stored().stored(), as: .workTokens)
    let session = change == .refreshed ? "S" : "T"
    let other = try samplePair(access: "B1", refresh: "Q1").beginning(session).stored()
    let refresher = FakeRefresher { _ throws(RefreshFailure) in
      do {
        #expect(try names() == ["work.session", "work.session.next"])
        if change == .loggedOut {
          try await store().clear(.workTokens)
        } else {
          try await store().save(other, as: .workTokens)
        }
      } catch {
        Issue.record(error)
      }
      guard change == .refreshed else { return TokenRefreshTests.refreshed }
      throw .refreshTokenDead("invalid_grant", .init("refreshing", why: "refused", hint: "log in"))
    }
    let manager = TokenManager(
      storage: SecretTokenStorage(store(), profile: "work"), lock: FileLock(path), refresher: refresher,
      revocation: revocation, policy: .init(), now: { .sample }, events: events.handler)
    let token = try? await manager.token().accessToken
    #expect(token == (change == .loggedOut ? nil : Secret("B1")))
    #expect(try names() == (change == .loggedOut ? [] : ["work.session"]))
    #expect(refresher.calls == 1)
  }

  @Test("a response whose access token can't be used: the refresh token that came with it is stored")
  func unusable() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored())
    let kept = TokenRefreshTests.stored { $0.refreshToken = Secret("R2") }
    let error = AuthError.refused(.init("refreshing", why: "its type", hint: "state [header]"))
    await #expect(throws: error) {
      try await manager(secrets, TokenRefreshTests.failing(.unusable(error, keeping: kept))).token()
    }
    #expect(try secrets.pair == kept)
    // The clock counts hundredths of a second: in the same one, the next caller would have waited for this refresh.
    let failed = BootTime.now
    while BootTime.now == failed { try await Task.sleep(for: .milliseconds(1)) }
    // A person changes the profile meanwhile: it is tried at once.
    #expect(
      try await manager(secrets, FakeRefresher { _ throws(RefreshFailure) in TokenRefreshTests.refreshed }).token()
        == TokenRefreshTests.refreshed)
  }

  // MARK: - An interrupted refresh

  private static let cut = Date.sample.addingTimeInterval(-3600)
  private static let cutShort = stored { $0.refreshBegan = cut }

  @Test("an interrupted refresh is reported, and the old refresh token tried: success clears the report")
  func graceful() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.cutShort)
    let refresher = FakeRefresher { _ throws(RefreshFailure) in TokenRefreshTests.refreshed }
    _ = try await manager(secrets, refresher).token()
    #expect(events.events.contains(.cutShort(began: TokenRefreshTests.cut)))
    #expect(try secrets.pair == TokenRefreshTests.refreshed)
  }

  @Test("an interrupted refresh whose token is refused: the error says what may have spent it")
  func spent() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.cutShort)
    let refusal = AuthError.Explanation("refreshing", why: "refused", hint: "log in", serverError: "invalid_grant")
    let refresher = TokenRefreshTests.failing(.refreshTokenDead("invalid_grant", refusal))
    var told = refusal
    told.reason = .refused
    told.why = "refused; the refresh of 2026-01-02T02:04:05Z was cut short and may have used it up"
    await #expect(throws: AuthError.loginRequired(told)) { try await manager(secrets, refresher).token() }
    #expect(refresher.calls == 1)
    let marked = TokenRefreshTests.stored { $0.lastError = .init(error: "invalid_grant", at: .sample, final: true) }
    #expect(try secrets.pair == marked)
  }

  @Test("an interrupted refresh, with a server that is down: the item is unchanged, byte for byte")
  func stillCutShort() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.cutShort)
    let before = secrets.items
    await #expect(throws: TokenRefreshTests.down) {
      try await manager(secrets, TokenRefreshTests.failing(.other(TokenRefreshTests.down))).token()
    }
    #expect(secrets.items == before)
  }

  @Test("a refusal after a lost response reports the loss")
  func lost() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored())
    await #expect(throws: TokenRefreshTests.down) {
      try await manager(secrets, rest: .zero, TokenRefreshTests.failing(.uncertain(TokenRefreshTests.down))).token()
    }
    #expect(try secrets.pair == TokenRefreshTests.stored())
    BootTime.tick()
    // A failure of which it is sure that nothing came does not make one forget.
    await #expect(throws: TokenRefreshTests.down) {
      try await manager(secrets, rest: .zero, TokenRefreshTests.failing(.other(TokenRefreshTests.down))).token()
    }
    BootTime.tick()
    let refusal = AuthError.Explanation("refreshing", why: "refused", hint: "log in", serverError: "invalid_grant")
    var told = refusal
    told.reason = .refused
    told.why = "refused; the response to the refresh of 2026-01-02T03:04:05Z was lost, perhaps with a new one"
    await #expect(throws: AuthError.loginRequired(told)) {
      try await manager(secrets, TokenRefreshTests.failing(.refreshTokenDead("invalid_grant", refusal))).token()
    }
  }

  // MARK: - A failure that is shared

  /// Expects a failure that another process has met, however long ago that was: on a busy machine it may be seconds.
  private func expectShared(_ error: AuthError, from manager: TokenManager) async {
    do throws(AuthError) {
      _ = try await manager.token()
      Issue.record("a token was given out")
    } catch let met {
      let why = met.explanation.why
      #expect(why.hasPrefix(error.explanation.why + " (asked ") && met == error.explained { $0.why = why })
    }
  }

  @Test(
    "a server that is down is left alone for a while by later callers, for at least as long as it says",
    arguments: [.other(down), .uncertain(down), .unavailable(down, retryAfter: 600)] as [RefreshFailure])
  func rest(failure: RefreshFailure) async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored())
    let rest: Duration = if case .unavailable = failure { .zero } else { .seconds(100) }
    await #expect(throws: TokenRefreshTests.down) {
      try await manager(secrets, rest: rest, TokenRefreshTests.failing(failure)).token()
    }
    let later = FakeRefresher { _ throws(RefreshFailure) in TokenRefreshTests.refreshed }
    await expectShared(TokenRefreshTests.down, from: manager(secrets, later))
    #expect(later.calls == 0)
    #expect(try secrets.pair == TokenRefreshTests.stored())
  }

  @Test("a failure that the user has to fix is retried at once, and a success clears it")
  func fixed() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored())
    let refusal = AuthError.refused(.init("refreshing", why: "invalid_client", hint: "fix it"))
    await #expect(throws: refusal) { try await manager(secrets, TokenRefreshTests.failing(.other(refusal))).token() }
    #expect(try Data(contentsOf: URL(filePath: path.string)).isEmpty == false)
    BootTime.tick()
    let refresher = FakeRefresher { _ throws(RefreshFailure) in TokenRefreshTests.refreshed }
    #expect(try await manager(secrets, refresher).token() == TokenRefreshTests.refreshed)
    #expect(try Data(contentsOf: URL(filePath: path.string)).isEmpty)
  }

  @Test("a failure of one process leaves nothing for the others")
  func ownFailure() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored())
    let failure = AuthError.failed("calling", why: "no memory", hint: "")
    await #expect(throws: failure) { try await manager(secrets, TokenRefreshTests.failing(.other(failure))).token() }
    #expect(try Data(contentsOf: URL(filePath: path.string)).isEmpty)
  }

  @Test("callers that wait during a request to the server share its failure, whatever it is")
  func waiters() async throws {
    let secrets = try MemorySecrets(TokenRefreshTests.stored())
    let refusal = AuthError.refused(.init("refreshing", why: "invalid_client", hint: "fix it"))
    let gate = Gate()
    let begun = Gate()
    let refresher = FakeRefresher { _ throws(RefreshFailure) in
      begun.open()
      await gate.pass()
      throw .other(refusal)
    }
    let first = Task { [manager = manager(secrets, refresher)] in try await manager.token() }
    await begun.pass()
    let handler = events.handler
    let waiting = TokenManager(
      storage: SecretTokenStorage(secrets, profile: "work"), lock: FileLock(path), refresher: refresher,
      policy: .init(), now: { .sample },
      events: { event in
        handler(event)
        if event == .waiting { gate.open() }
      })
    await expectShared(refusal, from: waiting)
    await #expect(throws: refusal) { try await first.value }
    #expect(refresher.calls == 1)
  }

  @Test("a failure from before the machine's restart, or one that can't be read, prevents no request")
  func forgotten() async throws {
    for note in [
      #"{"error":{"tryLater":{"_0":{"what":"w","why":"y","hint":"h"}}},"failedAt":{"id":"other","seconds":1},"#
        + #""rest":900}"#, "{", String(repeating: "x", count: 9000),
    ] {
      try Data(note.utf8).write(to: URL(filePath: path.string))
      let secrets = try MemorySecrets(TokenRefreshTests.stored())
      let refresher = FakeRefresher { _ throws(RefreshFailure) in TokenRefreshTests.refreshed }
      #expect(try await manager(secrets, refresher).token() == TokenRefreshTests.refreshed)
    }
  }
}
