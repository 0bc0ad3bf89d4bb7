import Synchronization
import TestSupport
import Testing

@testable import AuthCore

@Suite("RecentCredential", .timeLimit(.minutes(20)))
struct RecentCredentialTests {
  /// What is in the store, and how often it was asked for what.
  private final class Store: Sendable {
    private struct State {
      var token = "A1"
      var asked: [String?] = []
      var error: AuthError?
    }

    private let state = Mutex(State())
    private let gate: Gate?

    init(gate: Gate? = nil) { self.gate = gate }

    var asked: [String?] { state.withLock { $0.asked } }

    func change(_ token: String, error: AuthError? = nil) {
      state.withLock { state in (state.token, state.error) = (token, error) }
    }

    /// Reads, and returns only when the gate is open.
    func read(_ rejected: Secret?) async throws(AuthError) -> (TokenPair, APICredential) {
      let (token, error) = state.withLock { state in
        state.asked.append(rejected?.exposed)
        return (state.token, state.error)
      }
      await gate?.pass()
      if let error { throw error }
      return (samplePair(access: token), APICredential(Secret(token)))
    }
  }

  private final class Time: Sendable {
    private let instant = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { instant.withLock { $0 } }

    func pass(_ duration: Duration) { instant.withLock { $0 += duration } }
  }

  private let time = Time()

  private func reuse(_ store: Store, isGood: @escaping @Sendable (TokenPair) -> Bool = { _ in true })
    -> RecentCredential
  {
    RecentCredential(within: .seconds(1), now: { [time] in time.now }, isGood: isGood) { rejected throws(AuthError) in
      try await store.read(rejected)
    }
  }

  private func token(_ reuse: RecentCredential, replacing rejected: String? = nil) async throws -> String {
    try await reuse.credential(replacing: rejected.map { Secret($0) }).token.exposed
  }

  @Test("a refused token that nothing replaces is not given out again within the time")
  func refusedForGood() async throws {
    let store = Store()
    let reuse = reuse(store)
    #expect(try await token(reuse) == "A1")
    let dead = AuthError.loginRequired(.init("session work", why: "dead", hint: "log in"))
    store.change("A1", error: dead)
    await #expect(throws: dead) { try await token(reuse, replacing: "A1") }
    await #expect(throws: dead) { try await token(reuse) }
  }

  @Test("the store is read once, and again when the time is over")
  func once() async throws {
    let store = Store()
    let reuse = reuse(store)
    for _ in 0..<5 { #expect(try await token(reuse) == "A1") }
    #expect(store.asked == [nil])
    store.change("A2")
    time.pass(.milliseconds(999))
    #expect(try await token(reuse) == "A1")
    time.pass(.milliseconds(1))
    #expect(try await token(reuse) == "A2")
    #expect(store.asked.count == 2)
  }

  @Test("a refused token is never given out again; a later caller with the same refusal gets the new one")
  func refused() async throws {
    let store = Store()
    let reuse = reuse(store)
    #expect(try await token(reuse) == "A1")
    store.change("A2")
    for _ in 0..<3 { #expect(try await token(reuse, replacing: "A1") == "A2") }
    #expect(try await token(reuse) == "A2")
    #expect(store.asked == [nil, "A1"])
    #expect(try await token(reuse, replacing: "A2") == "A2")
    #expect(store.asked == [nil, "A1", "A2"])
  }

  @Test("a token that has expired by the clock is requested again")
  func expired() async throws {
    let store = Store()
    let reuse = reuse(store) { _ in false }
    for _ in 0..<2 { #expect(try await token(reuse) == "A1") }
    #expect(store.asked.count == 2)
  }

  @Test("concurrent requests wait for one response")
  func together() async throws {
    let gate = Gate()
    let store = Store(gate: gate)
    let reuse = reuse(store)
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await token(reuse) } }
      while store.asked.isEmpty { await Task.yield() }
      gate.open()
      for try await given in group { #expect(given == "A1") }
    }
    #expect(store.asked == [nil])
  }

  @Test("a failure is reported to all that wait, and the next request tries again")
  func failure() async throws {
    let error = AuthError.tryLater(.init("x", why: "y", hint: "z"))
    let store = Store()
    let reuse = reuse(store)
    store.change("", error: error)
    await #expect(throws: error) { try await token(reuse) }
    store.change("A1")
    #expect(try await token(reuse) == "A1")
    #expect(store.asked.count == 2)
  }

  @Test("a slow response to an older request does not replace a newer one")
  func late() async throws {
    let gate = Gate()
    let slow = Store(gate: gate)
    let fast = Store()
    fast.change("A2")
    let reuse = RecentCredential(within: .seconds(1), now: { [time] in time.now }, isGood: { _ in true }) {
      rejected throws(AuthError) in
      try await (rejected == nil ? slow : fast).read(rejected)
    }
    let old = Task { try await token(reuse) }
    while slow.asked.isEmpty { await Task.yield() }
    time.pass(.milliseconds(1))
    #expect(try await token(reuse, replacing: "A1") == "A2")
    gate.open()
    #expect(try await old.value == "A1")
    #expect(try await token(reuse) == "A2")
    #expect(slow.asked.count == 1)
  }
}
