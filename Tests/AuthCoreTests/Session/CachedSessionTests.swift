import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("a session with a cache", .timeLimit(.minutes(20)))
struct CachedSessionTests {
  private let place: CachePlace
  private let events = EventLog()

  init() throws { place = try CachePlace() }

  /// A session as a process has it.
  private func session(
    _ secrets: any SecretStore, _ transport: ScriptedTransport = ScriptedTransport(), cache: TokenCache? = nil,
    rescue: any TokenRescue = NoRescue()
  ) throws -> TokenSession {
    TokenSession(
      of: AuthorizationServer(
        profile: try sampleProfile(),
        connection: connection(transport, events: events) { [clocks = place.clocks] in clocks.reading.time },
        secrets: secrets), lock: place.lock, rescue: rescue, cache: cache ?? place.cache(), newSessionID: { "S" })
  }

  private static func response(_ name: String) -> ScriptedTransport.Step {
    .response(
      200, #"{"access_token":"\#(name)","token_type":"bearer","expires_in":3600,"refresh_token":"R\#(name)"}"#,
      at: "https://id.example/token")
  }

  /// A store with the sample pair, whose token is cached.
  private func filled() async throws -> MemorySecrets {
    let secrets = try MemorySecrets(samplePair().beginning("S"))
    #expect(try await session(secrets).token().accessToken == Secret("A1"))
    #expect(isCached("A1"))
    return secrets
  }

  private func isCached(_ token: String) -> Bool { place.cache().current()?.accessToken == Secret(token) }

  @Test("the first call reads the store and caches the token; the next one does not read the store, and says why")
  func reuse() async throws {
    let secrets = try await filled()
    let loads = secrets.loads
    place.clocks.pass(12)
    let pair = try await session(secrets).token()
    #expect(pair.accessToken == Secret("A1") && pair.refreshToken == nil)
    #expect(secrets.loads == loads && secrets.saves == 0)
    let why = "cached in a quick place 12s ago; valid for another 59m 48s"
    #expect(events.events.last == .usable(access: samplePair().fingerprint, because: why))
    #expect(events.events.contains(.cached(access: samplePair().fingerprint, seconds: 30)))
  }

  @Test("a store that fails matters only when the time is over: so long the token is used although it is locked")
  func lockedStore() async throws {
    let secrets = try await filled()
    secrets.fail(.locked)
    place.clocks.pass(29)
    #expect(try await session(secrets).token().accessToken == Secret("A1"))
    place.clocks.pass(1)
    await #expect(throws: AuthError.self) { try await session(secrets).token() }
  }

  @Test("a token that is to be refreshed is not served from the cache: it is cached until then only")
  func refreshBefore() async throws {
    let secrets = try MemorySecrets(samplePair(life: 70).beginning("S"))
    _ = try await session(secrets).token()
    #expect(place.memory.lifetimes == [10])
    place.clocks.pass(11)
    let transport = ScriptedTransport([Self.response("A2")])
    #expect(try await session(secrets, transport).token().accessToken == Secret("A2"))
    #expect(!isCached("A1"))
  }

  @Test("a caller that needs more validity than the cached token has gets another one")
  func minValidity() async throws {
    let secrets = try await filled()
    let transport = ScriptedTransport([Self.response("A2")])
    let pair = try await session(secrets, transport).token(minValidity: .seconds(3601))
    #expect(pair.accessToken == Secret("A2") && !isCached("A1"))
  }

  /// Ways in which another process changes what is stored.
  enum Change: CaseIterable, Sendable {
    case login, logout, localLogout, refresh, refusedToken
  }

  @Test(
    "a change by any process, with or without a cache of its own, makes the cached token invalid",
    arguments: Change.allCases)
  func changed(change: Change) async throws {
    let secrets = try await filled()
    let transport = ScriptedTransport([Self.response("A2"), .response(200), .response(200)])
    let other = try session(secrets, transport, cache: place.cache(for: .zero))
    switch change {
    case .login: try await other.logIn(with: samplePair(access: "A2", refresh: "R2"))
    case .logout: try await other.logOut()
    case .localLogout: try await other.logOut(localOnly: true)
    case .refresh: _ = try await other.refresh()
    case .refusedToken: _ = try await other.token(replacing: Secret("A1"))
    }
    #expect(!isCached("A1"))
    guard change != .logout, change != .localLogout else {
      #expect(place.memory.names.isEmpty)
      await #expect(throws: AuthError.self) { try await session(secrets).token() }
      return
    }
    #expect(try await session(secrets).token().accessToken == Secret("A2"))
    #expect(isCached("A2"))
  }

  @Test("a change that fails makes it invalid, too: the old token may have been revoked", arguments: [400, 503])
  func failedRefresh(status: Int) async throws {
    let secrets = try await filled()
    let transport = ScriptedTransport([.response(status, #"{"error":"invalid_grant"}"#, at: "https://id.example/token")]
    )
    await #expect(throws: AuthError.self) { try await session(secrets, transport).token(replacing: Secret("A1")) }
    #expect(!isCached("A1"))
  }

  @Test("a refused token that can't be refreshed is not used from the cache either")
  func noRefreshToken() async throws {
    let secrets = try MemorySecrets(samplePair(refresh: nil).beginning("S"))
    _ = try await session(secrets).token()
    #expect(isCached("A1"))
    await #expect(throws: AuthError.self) { try await session(secrets).token(replacing: Secret("A1")) }
    #expect(!isCached("A1"))
  }

  @Test("a refusal that shares the failure of another refresh makes it invalid")
  func sharedFailure() async throws {
    let secrets = try await filled()
    let failure = try #require(
      RecentFailure(.tryLater(.init("refreshing", why: "503", hint: "")), rest: 600, lostResponse: nil))
    _ = try await place.lock.withLock(.exclusive, deadline: .zero) { held in try? failure.leave(in: held) }
    #expect(isCached("A1"))
    await #expect(throws: AuthError.self) { try await session(secrets).token(replacing: Secret("A1")) }
    #expect(!isCached("A1"))
  }

  @Test("the refusal of a token that was just issued makes it invalid, and such a token is not cached again")
  func rememberedRefusal() async throws {
    let secrets = try await filled()
    let other = try session(secrets, cache: place.cache(for: .zero))
    _ = await other.rememberRefusal(of: Secret("A1"))
    #expect(!isCached("A1"))
    #expect(try await session(secrets).token().accessToken == Secret("A1"))
    #expect(!isCached("A1"))
  }

  @Test("storing a rescued pair makes the one before it invalid")
  func rescued() async throws {
    let old = samplePair().beginning("S")
    let secrets = try await filled()
    let new = samplePair(access: "A2", refresh: "R2").beginning("S")
    let stored = try #require(try secrets.pair)
    let rescue = try MemoryRescue(new, over: stored)
    #expect(isCached(old.accessToken.exposed))
    #expect(
      try await session(secrets, cache: place.cache(for: .zero), rescue: rescue).token().accessToken == Secret("A2"))
    #expect(!isCached("A1"))
  }

  @Test("a logout between the read of the store and the caching wins")
  func race() async throws {
    let secrets = try MemorySecrets(samplePair().beginning("S"))
    let other = try session(secrets, ScriptedTransport([.response(200), .response(200)]))
    let slow = ChangingSecrets(secrets) { _ = try? await other.logOut() }
    // It was read before the logout, which this call can't know.
    #expect(try await session(slow).token().accessToken == Secret("A1"))
    #expect(place.memory.names.count == 1 && !isCached("A1"))
    await #expect(throws: AuthError.self) { try await session(secrets).token() }
  }

  @Test("a session that the store holds in a new form is not cached while another process has the lock")
  func busy() async throws {
    let secrets = try MemorySecrets(samplePair().beginning("S"))
    let pair = try await place.lock.withLock(.exclusive, deadline: .zero) { _ throws(AuthError) in
      do { return try await session(secrets).token() } catch { throw .failed(.init("", why: "\(error)")) }
    }
    #expect(pair?.accessToken == Secret("A1") && place.memory.names.isEmpty)
    #expect(!events.events.contains { if case .notCached = $0 { true } else { false } })
  }

  @Test("a token that the API has refused is never served from the cache to the process that was refused")
  func refused() async throws {
    let secrets = try await filled()
    let session = try session(secrets, ScriptedTransport([Self.response("A2")]))
    #expect(try await session.credential(replacing: nil).token == Secret("A1"))
    #expect(try await session.credential(replacing: Secret("A1")).token == Secret("A2"))
    #expect(try await session.credential(replacing: nil).token == Secret("A2"))
  }

  @Test("a memory that refuses is told once, and the store is read", arguments: [true, false])
  func noMemory(readsToo: Bool) async throws {
    let secrets = try MemorySecrets(samplePair().beginning("S"))
    place.memory.refuse(.notAllowed("no keys here"), readsToo: readsToo)
    let session = try session(secrets)
    for _ in 0..<2 { #expect(try await session.token().accessToken == Secret("A1")) }
    let notes = events.events.filter { $0 == .notCached(because: "no keys here") }
    #expect(notes.count == (readsToo ? 1 : 2))
  }

  @Test("without a time nothing is looked for, and no generation is created")
  func off() async throws {
    let secrets = try MemorySecrets(samplePair().beginning("S"))
    _ = try await session(secrets, cache: place.cache(for: .zero)).token()
    #expect(place.memory.reads == 0 && !FileManager.default.fileExists(atPath: place.file.string))
  }
}

/// A store that another process changes after each read, before the reader has the result.
private final class ChangingSecrets: SecretStore {
  private let store: MemorySecrets
  private let change: @Sendable () async -> Void

  init(_ store: MemorySecrets, _ change: @escaping @Sendable () async -> Void) {
    self.store = store
    self.change = change
  }

  func load(_ item: SecretItem) async throws(AuthError) -> Secret? {
    let secret = try await store.load(item)
    await change()
    return secret
  }

  func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) { try await store.save(secret, as: item) }

  func clear(_ item: SecretItem) async throws(AuthError) { try await store.clear(item) }
}
