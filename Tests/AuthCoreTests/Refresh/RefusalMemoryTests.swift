import Foundation
import HTTPTypes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("TokenManager: a token that a refresh does not help", .timeLimit(.minutes(20)))
struct RefusalMemoryTests {
  private let folder: TemporaryDirectory
  private let events = EventLog()
  private let clock = SetTime()

  /// A clock that a test sets.
  private final class SetTime: Sendable {
    private let date = Mutex(Date.sample)
    var now: Date { date.withLock { $0 } }
    func advance(to seconds: Double) { date.withLock { $0 = .sample.addingTimeInterval(seconds) } }
  }

  init() throws { folder = try TemporaryDirectory() }

  /// A refresh whose n-th pair has the access token `A(n+1)`.
  private func refresher() -> FakeRefresher {
    let count = Mutex(1)
    return FakeRefresher { pair throws(RefreshFailure) in
      let number = count.withLock { count in
        count += 1
        return count
      }
      var refreshed = samplePair(access: "A\(number)", refresh: "R\(number)")
      refreshed.lastRefresh = .sample
      return refreshed
    }
  }

  /// What another process has: only the store and the lock are the same.
  private func manager(_ secrets: MemorySecrets, _ refresher: FakeRefresher) -> TokenManager {
    TokenManager(
      storage: SecretTokenStorage(secrets, profile: "work"), lock: FileLock(folder.path.appending("lock")),
      refresher: refresher, policy: .init(savePauses: []), now: { [clock] in clock.now }, events: events.handler)
  }

  private func sender(_ manager: TokenManager, _ api: FakeAPI) throws -> AuthorizedSender {
    AuthorizedSender(
      api, .init(manager, origins: [try WebURL("https://api.example").origin], refusals: RefusalRule()),
      events: events.handler)
  }

  private func call(_ manager: TokenManager, _ api: FakeAPI) async throws -> TransferResponse {
    try await sender(manager, api).send(
      Transfer(method: .get, url: try WebURL("https://api.example/v1")), redirects: .response)
  }

  @Test("100 calls of as many processes with a token that the API never accepts cost one refresh (invariant 8)")
  func storm() async throws {
    let (secrets, refresher) = (try MemorySecrets(samplePair()), refresher())
    let api = FakeAPI(401, "no")
    var saves = 0
    for number in 1...100 {
      let response = try await call(manager(secrets, refresher), api)
      #expect(response.status == 401)
      #expect(String(decoding: response.body, as: UTF8.self) == "no")
      #expect(response.refreshPause == .seconds(300))
      if number == 1 { saves = secrets.saves }
    }
    #expect(refresher.calls == 1)
    #expect(api.requests.count == 101)
    #expect(secrets.saves == saves, "the fact is stored once")
    #expect(try secrets.pair?.refusedAt == .sample)
    #expect(events.events.contains(.refusedAgain(status: 401, pause: 300)))
    let refusal = try #require(try secrets.pair?.apiRefusal)
    #expect(refusal == .init(at: .sample, status: 401, request: "GET /v1"))
  }

  @Test("the wait before a token that is seconds old is refreshed again is an event, once")
  func waits() async throws {
    let (secrets, refresher) = (try MemorySecrets(samplePair()), refresher())
    let manager = manager(secrets, refresher)
    let fresh = try await manager.token(replacing: Secret("A1"))
    _ = try await manager.token(replacing: fresh.accessToken)
    let pauses = events.events.filter { if case .pausing = $0 { true } else { false } }
    #expect(pauses.count == 1)
    #expect(
      pauses.first?.description == "token \(fresh.fingerprint) has just been refreshed, another request may find that "
        + "it is refused, too: waiting up to 1s")
    #expect(refresher.calls == 2)
  }

  @Test("a success after a refusal is stored once, and the brake stays")
  func accepted() async throws {
    let (secrets, refresher) = (try MemorySecrets(samplePair()), refresher())
    _ = try await call(manager(secrets, refresher), FakeAPI(401))
    let manager = manager(secrets, refresher)
    let saves = secrets.saves
    for _ in 0..<3 { #expect(try await call(manager, FakeAPI(200)).status == 200) }
    #expect(secrets.saves == saves + 1)
    let pair = try #require(try secrets.pair)
    #expect(pair.apiRefusal?.isOver == true && pair.lastingRefusal == nil && pair.refusedAt == .sample)
    let response = try await call(manager, FakeAPI(401))
    #expect(response.refreshPause == .seconds(300) && response.refusedRequest == "GET /v1")
    #expect(try secrets.pair?.lastingRefusal?.status == 401)
    #expect(refresher.calls == 1)
  }

  @Test("100 concurrent calls cost one refresh, too, even while the API is slow to refuse the new token")
  func parallelStorm() async throws {
    let (secrets, refresher) = (try MemorySecrets(samplePair()), refresher())
    let api = FakeAPI { request in
      try await ContinuousClock().sleep(for: .milliseconds(Int.random(in: 0...150)))
      return .made(401)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          let response = try await call(manager(secrets, refresher), api)
          #expect(response.status == 401)
        }
      }
      try await group.waitForAll()
    }
    #expect(refresher.calls == 1)
  }

  @Test("after five minutes it is tried again; another token is tried at once (invariant 8)")
  func restOver() async throws {
    let (secrets, refresher) = (try MemorySecrets(samplePair()), refresher())
    let api = FakeAPI(401)
    _ = try await call(manager(secrets, refresher), api)
    clock.advance(to: 299)
    #expect(try await call(manager(secrets, refresher), api).refreshPause == .seconds(1))
    #expect(refresher.calls == 1)
    clock.advance(to: 300)
    #expect(try await call(manager(secrets, refresher), api).refreshPause == .seconds(300))
    #expect(refresher.calls == 2)
    var other = samplePair(access: "B1")
    other.sessionID = "another login"
    secrets.put(try other.stored(), as: .workTokens)
    _ = try await call(manager(secrets, refresher), api)
    #expect(refresher.calls == 3)
  }

  @Test("a token that the API accepts is not recorded: the next refusal causes a refresh")
  func cured() async throws {
    let (secrets, refresher) = (try MemorySecrets(samplePair()), refresher())
    let good = Mutex("Bearer A2")
    let api = FakeAPI { request in .made(request.authorization == good.withLock { $0 } ? 200 : 401) }
    #expect(try await call(manager(secrets, refresher), api).status == 200)
    #expect(try secrets.pair?.refusedAt == nil)
    good.withLock { $0 = "Bearer A3" }
    #expect(try await call(manager(secrets, refresher), api).status == 200)
    #expect(refresher.calls == 2)
  }

  @Test("a remembered refusal stops no refresh for another reason: an expired token, a required validity")
  func otherReasons() async throws {
    let (secrets, refresher) = (try MemorySecrets(samplePair()), refresher())
    let manager = manager(secrets, refresher)
    _ = try await call(manager, FakeAPI(401))
    #expect(try await manager.token(replacing: Secret("A2")).accessToken == Secret("A2"))
    #expect(try await manager.token(replacing: Secret("A2"), minValidity: .seconds(7200)).accessToken == Secret("A3"))
    #expect(refresher.calls == 2)
  }

  @Test("a refusal that cannot be stored is remembered by the process alone, with a warning")
  func unstored() async throws {
    let (secrets, refresher) = (try MemorySecrets(samplePair()), refresher())
    let manager = manager(secrets, refresher)
    _ = try await manager.token(replacing: Secret("A1"))
    secrets.failNextSaves(1)
    #expect(await manager.rememberRefusal(of: Secret("A2")) == .seconds(300))
    #expect(try secrets.pair?.refusedAt == nil)
    #expect(events.events.last == .warning("the refusal was not stored: the keyring: it refuses"))
    #expect(try await manager.token(replacing: Secret("A2")).accessToken == Secret("A2"))
    #expect(refresher.calls == 1)
  }

  @Test("a server that returns the same token for a refresh is asked once, too")
  func sameToken() async throws {
    let secrets = try MemorySecrets(samplePair())
    let refresher = FakeRefresher { pair throws(RefreshFailure) in pair }
    for _ in 0..<3 { _ = try await call(manager(secrets, refresher), FakeAPI(401)) }
    #expect(refresher.calls == 1)
  }

  @Test("the library's interceptor follows the same rule: 100 requests, one refresh")
  func interceptor() async throws {
    let (secrets, refresher) = (try MemorySecrets(samplePair()), refresher())
    let api = FakeAPI(401)
    for _ in 0..<50 {
      let manager = manager(secrets, refresher)
      let client = APIClient(
        base: try WebURL("https://api.example"), transport: api,
        interceptor: TokenInterceptor(manager, events: events.handler))
      for _ in 0..<2 { #expect(try await client.response(to: .get("x")).status == 401) }
    }
    #expect(refresher.calls == 1)
    #expect(api.requests.count == 101)
    #expect(events.events.count { $0 == .refusedAgain(status: 401, pause: 300) } == 1)
  }
}
