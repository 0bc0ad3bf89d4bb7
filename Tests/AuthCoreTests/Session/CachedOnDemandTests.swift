import Foundation
import HTTPTypes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("a session without a store, with a cache", .timeLimit(.minutes(20)))
struct CachedOnDemandTests {
  private let place: CachePlace
  private let secret: String

  init() throws {
    place = try CachePlace()
    secret = try place.folder.write("shh", to: "secret")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
  }

  /// A session as a process has it.
  private func session(_ transport: any HTTPTransport, cache: TokenCache? = nil) throws -> TokenSession {
    let profile = try sampleProfile {
      $0.store = .nothing
      $0.flow = .clientCredentials
      $0.clientAuthentication = .post
      $0.clientSecretFile = secret
    }
    let connection = ServerConnection(
      transport: transport, network: NetworkOptions(), userAgent: "authctl/test",
      now: { [clocks = place.clocks] in clocks.reading.time }, boot: { .sample }, events: place.events.handler)
    return TokenSession(
      of: AuthorizationServer(profile: profile, connection: connection, secrets: MemorySecrets()), lock: place.lock,
      cache: cache ?? place.cache(), policy: RefreshPolicy(lockDeadline: .seconds(600)))
  }

  private static func response(_ name: String) -> ScriptedTransport.Step {
    .response(
      200, #"{"access_token":"\#(name)","token_type":"bearer","expires_in":3600}"#, at: "https://id.example/token")
  }

  @Test("the next process uses the token of the first one, until its time is over")
  func shared() async throws {
    let transport = ScriptedTransport([Self.response("A1"), Self.response("A2")])
    for _ in 0..<3 { #expect(try await session(transport).token().accessToken == Secret("A1")) }
    place.clocks.pass(30)
    #expect(try await session(transport).token().accessToken == Secret("A2"))
    #expect(transport.requests.count == 2)
  }

  @Test("a storm of a hundred processes is one exchange")
  func storm() async throws {
    let transport = CountingServer()
    let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<100 { group.addTask { try await session(transport).token().accessToken } }
      return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
    }
    #expect(transport.count == 1 && tokens == [Secret("T1")])
  }

  @Test("a storm whose token the API refuses is one more exchange")
  func refusedStorm() async throws {
    let transport = CountingServer()
    _ = try await session(transport).token()
    let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let session = try session(transport)
          let first = try await session.credential(replacing: nil).token
          // One that came later has the new token already.
          guard first == Secret("T1") else { return first }
          return try await session.credential(replacing: first).token
        }
      }
      return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
    }
    #expect(transport.count == 2 && tokens == [Secret("T2")])
  }

  @Test("login, refresh and logout make the token invalid")
  func invalidated() async throws {
    let transport = ScriptedTransport([Self.response("A1"), Self.response("A2")])
    #expect(try await session(transport).token().accessToken == Secret("A1"))
    try await session(transport, cache: place.cache(for: .zero)).invalidateCache()
    #expect(place.memory.names.isEmpty)
    #expect(try await session(transport).token().accessToken == Secret("A2"))
  }

  @Test("a process that still has an invalid token does not cache it again")
  func notAgain() async throws {
    let transport = ScriptedTransport([Self.response("A1"), Self.response("A2")])
    let long = try session(transport)
    #expect(try await long.token().accessToken == Secret("A1"))
    try await session(transport).invalidateCache()
    #expect(try await long.token().accessToken == Secret("A1"))
    #expect(try await session(transport).token().accessToken == Secret("A2"))
    // Its own next exchange would be for nothing.
    #expect(try await long.token().accessToken == Secret("A2"))
  }

  @Test("an exchange that fails leaves no token in the cache, and the process keeps its own")
  func failure() async throws {
    let transport = ScriptedTransport([
      Self.response("A1"), .response(401, #"{"error":"invalid_client"}"#, at: "https://id.example/token"),
    ])
    let session = try session(transport)
    #expect(try await session.token().accessToken == Secret("A1"))
    await #expect(throws: AuthError.self) { try await session.refresh() }
    #expect(place.cache().current() == nil)
    #expect(try await session.token().accessToken == Secret("A1"))
  }

  @Test("where the kernel keeps no keys, each process requests its own token, and none waits for another")
  func noMemory() async throws {
    place.memory.refuse(.notAllowed("no keys here"))
    let transport = ScriptedTransport([Self.response("A1"), Self.response("A2")])
    let first = try await place.lock.withLock(.exclusive, deadline: .zero) { _ throws(AuthError) in
      do { return try await session(transport).token() } catch { throw .failed(.init("", why: "\(error)")) }
    }
    #expect(first?.accessToken == Secret("A1"))
    #expect(try await session(transport).token().accessToken == Secret("A2"))
    #expect(place.events.events.contains(.notCached(because: "no keys here")))
  }

  @Test("where the lock file can't be used, each process requests its own token")
  func noLock() async throws {
    try FileManager.default.createDirectory(atPath: place.file.string, withIntermediateDirectories: false)
    let transport = ScriptedTransport([Self.response("A1"), Self.response("A2")])
    #expect(try await session(transport).token().accessToken == Secret("A1"))
    #expect(try await session(transport).token().accessToken == Secret("A2"))
    #expect(place.events.events.contains { if case .notCached(let why) = $0 { why.contains("folder") } else { false } })
  }
}

@Suite("CacheLock")
struct CacheLockTests {
  private let place: CachePlace

  init() throws { place = try CachePlace() }

  @Test("it is the profile's lock, whose handle has the file; without a cache it is the process's own")
  func which() async throws {
    let shared = CacheLock(place.lock, of: place.cache())
    #expect(try await shared.withLock(.exclusive, deadline: .zero) { $0.file != nil } == true)
    let own = CacheLock(place.lock, of: place.cache(for: .zero))
    #expect(try await own.withLock(.exclusive, deadline: .zero) { $0.file == nil } == true)
  }

  @Test("a lock that is not free in time is not waited for: the process goes its own way from then on")
  func late() async throws {
    let cache = place.cache()
    let lock = CacheLock(place.lock, of: cache)
    _ = try await place.lock.withLock(.exclusive, deadline: .zero) { _ throws(AuthError) in
      #expect(try await lock.withLock(.exclusive, deadline: .zero) { _ in true } == nil)
      #expect(cache.isUsable)
      #expect(try await lock.withLock(.shared, deadline: .milliseconds(1)) { $0.file == nil } == true)
      #expect(try await lock.withLock(.exclusive, deadline: .zero) { $0.file == nil } == true)
    }
    #expect(cache.failure == "another process holds the lock for too long")
  }

  @Test("an error of the body is that of the body")
  func bodyError() async throws {
    let lock = CacheLock(place.lock, of: place.cache())
    let error = AuthError.failed(.init("it", why: "fails"))
    let runs = Mutex(0)
    await #expect(throws: error) {
      try await lock.withLock(.exclusive, deadline: .zero) { _ throws(AuthError) in
        runs.withLock { $0 += 1 }
        throw error
      }
    }
    #expect(runs.withLock { $0 } == 1)
  }
}

/// A token endpoint that numbers its tokens, and takes its time.
private final class CountingServer: HTTPTransport {
  private let state = Mutex(0)

  var count: Int { state.withLock { $0 } }

  func send(_ transfer: Transfer) async throws -> TransferResponse {
    let number = state.withLock { state in
      state += 1
      return state
    }
    for _ in 0..<50 { await Task.yield() }
    let body = #"{"access_token":"T\#(number)","token_type":"bearer","expires_in":3600}"#
    let response = TransferResponse(status: 200, fields: [:], body: Array(body.utf8), bodyCount: 0)
    _ = try transfer.destination(response)
    return response
  }
}
