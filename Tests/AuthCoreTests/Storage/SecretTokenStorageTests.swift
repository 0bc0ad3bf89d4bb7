import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

@Suite("SecretTokenStorage: the number of changes") struct SecretTokenStorageTests {
  let secrets = MemorySecrets()
  var storage: SecretTokenStorage {
    SecretTokenStorage(
      secrets, profile: "work", clock: { ClockReading(time: .sample, boot: nil) },
      process: RefreshingProcess(pid: 42, isInBackground: true))
  }

  /// The stored number and process.
  func change() async throws -> TokenPair.Change? { try await storage.load()?.change }

  @Test("a login, a refresh and a refusal are counted; the mark of a refresh and its removal are not")
  func counted() async throws {
    var pair = TokenPair(accessToken: Secret("a"), refreshToken: Secret("r"), issuedAt: .sample).beginning("one")
    try await storage.save(pair)
    #expect(try await change()?.number == 1)
    #expect(try await change()?.process == RefreshingProcess(pid: 42, isInBackground: true))
    var marked = pair
    marked.refreshBegan = .sample
    #expect(try await storage.replace(pair, with: marked))
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await change()?.number == 1)
    pair.accessToken = Secret("b")
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await change()?.number == 2)
    pair.lastError = .init(error: "invalid_grant", at: .sample, final: true)
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await change()?.number == 3)
    pair.accessTokenRefusedAt = .sample
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await change()?.number == 4)
  }

  @Test("a session over another one counts on; an item of a version that does not count begins at 1")
  func followers() async throws {
    let pair = TokenPair(accessToken: Secret("a"), issuedAt: .sample).beginning("one")
    secrets.put(try pair.stored(), as: SecretItem(profile: "work", kind: .tokens))
    #expect(try await change() == nil)
    let session = TokenSession("work", storage: .custom(storage)) { $0 }
    try await session.logIn(with: TokenPair(accessToken: Secret("b"), issuedAt: .sample))
    #expect(try await change()?.number == 1)
    try await session.logIn(with: TokenPair(accessToken: Secret("c"), issuedAt: .sample))
    #expect(try await change()?.number == 2)
    #expect(secrets.announced == [1, 2])
  }

  /// A session that has logged in and has been refreshed once.
  private func refreshed(_ settings: SessionSettings = SessionSettings()) async throws -> TokenSession {
    let session = TokenSession("work", storage: .custom(storage), settings: settings) { pair in
      var pair = pair
      pair.accessToken = Secret(pair.accessToken.exposed + "+")
      return pair
    }
    try await session.logIn(with: TokenPair(accessToken: Secret("a"), refreshToken: Secret("r"), issuedAt: .sample))
    _ = try await session.refresh()
    await session.finishRefresh()
    return session
  }

  @Test("a change is announced once, after a refresh too, and its failure is none of the refresh")
  func announced() async throws {
    let session = try await refreshed()
    #expect(secrets.announced == [1, 2])
    secrets.failAnnouncements()
    _ = try await session.refresh()
    await session.finishRefresh()
    #expect(try await change()?.number == 3)
    #expect(secrets.announced == [1, 2])
  }

  @Test("a login and a refresh have released the lock before their change is announced")
  func announcedWithoutLock() async throws {
    var settings = SessionSettings()
    let lock = ProcessLock()
    settings.lock = lock
    let free = Mutex<[Bool]>([])
    secrets.onAnnouncement {
      // Another process would get it; nil if it is held.
      let isFree = try? await lock.withLock(.exclusive, deadline: .zero) { _ in true }
      free.withLock { $0.append(isFree == true) }
    }
    _ = try await refreshed(settings)
    #expect(free.withLock(\.self) == [true, true])
  }

  @Test("a refresh returns although its change is not announced yet", .timeLimit(.minutes(20)))
  func announcedLater() async throws {
    let session = try await refreshed()
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    secrets.onAnnouncement { for await _ in released {} }
    _ = try await session.refresh()
    #expect(secrets.announced == [1, 2])
    release.finish()
    await session.finishRefresh()
    #expect(secrets.announced == [1, 2, 3])
  }

  @Test("a final refusal is announced again by each run that finds it, whether the access token is valid or refused")
  func refusedAgain() async throws {
    var pair = TokenPair(accessToken: Secret("a"), refreshToken: Secret("r"), issuedAt: .sample).beginning("one")
    pair.change = TokenPair.Change(number: 7, process: .current)
    pair.lastError = .init(error: "invalid_grant", at: .sample, final: true)
    for isDead in [false, true] {
      if isDead { pair.accessTokenRefusedAt = .sample }
      secrets.put(try pair.stored(), as: SecretItem(profile: "work", kind: .tokens))
      for _ in 1...2 {
        let before = secrets.announced
        let session = TokenSession("work", storage: .custom(storage)) { _ in
          throw RefreshFailure.other(MemorySecrets.fault)
        }
        await #expect(throws: AuthError.self) { try await session.refresh() }
        await session.finishRefresh()
        #expect(secrets.announced == before + [7])
      }
    }
    #expect(secrets.saves == 0)
  }

  @Test("a refresh whose response has the stored tokens is no change")
  func same() async throws {
    let session = TokenSession("work", storage: .custom(storage)) { pair in
      pair.refreshed(by: TokenResponse(accessToken: pair.accessToken), sentAt: .sample + 5)
    }
    try await session.logIn(with: TokenPair(accessToken: Secret("a"), refreshToken: Secret("r"), issuedAt: .sample))
    _ = try await session.refresh()
    #expect(try await storage.load()?.lastRefresh == nil)
    #expect(try await change()?.number == 1)
  }

  @Test("one record names the process; that of the version with two is read, with its mark of the background")
  func forms() async throws {
    var pair = TokenPair(accessToken: Secret("a"), issuedAt: .sample)
    pair.change = TokenPair.Change(number: 3, process: RefreshingProcess(pid: 70, isInBackground: true))
    let text = try pair.stored().exposed
    #expect(text.contains(#""change":{"background":true,"number":3,"pid":70}"#) && !text.contains("refreshed_by"))
    #expect(try TokenPair(stored: Secret(text)).change == pair.change)
    let former = text.replacing(
      #""change":{"background":true,"number":3,"pid":70}"#,
      with: #""change":{"number":3,"pid":70},"refreshed_by":{"pid":71,"background":true}"#)
    #expect(try TokenPair(stored: Secret(former)).change == pair.change)
    let login = text.replacing(#""background":true,"#, with: "")
    #expect(try TokenPair(stored: Secret(login)).change?.process == RefreshingProcess(pid: 70))
    let unknown = former.replacing(#"{"pid":71,"background":true}"#, with: "7")
    #expect(try TokenPair(stored: Secret(unknown)).change?.process == RefreshingProcess(pid: 70))
  }

  @Test("the process that refreshed is known after a refresh only, and kept until a rescued pair is stored")
  func refreshedBy() async throws {
    var pair = TokenPair(accessToken: Secret("a"), refreshToken: Secret("r"), issuedAt: .sample).beginning("one")
    try await storage.save(pair)
    #expect(try await storage.load()?.refreshedBy == nil)
    (pair.accessToken, pair.lastRefresh) = (Secret("b"), .sample)
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await storage.load()?.refreshedBy?.pid == 42)
    pair.lastError = .init(error: "invalid_grant", at: .sample, final: true)
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await storage.load()?.refreshedBy == nil, "the last change is that of the refusal")
    (pair.accessToken, pair.lastError) = (Secret("c"), nil)
    pair.change = TokenPair.Change(number: 0, process: RefreshingProcess(pid: 9))
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await change() == TokenPair.Change(number: 4, process: RefreshingProcess(pid: 9)))
  }
}
