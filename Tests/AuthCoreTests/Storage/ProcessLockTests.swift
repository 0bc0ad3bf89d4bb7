import Synchronization
import Testing

@testable import AuthCore

@Suite("ProcessLock")
struct ProcessLockTests {
  private let lock = ProcessLock()

  /// Takes the lock in a task of its own and holds it until the gate opens; returns when it has it.
  private func held(_ access: LockAccess, until gate: Gate) async -> Task<Bool, any Error> {
    let isTaken = Gate()
    let task = Task { [lock] in
      try await lock.withLock(access, deadline: .seconds(600)) { _ throws(AuthError) in
        isTaken.open()
        await gate.pass()
        return true
      } ?? false
    }
    await isTaken.pass()
    return task
  }

  private func isFree(_ access: LockAccess) async throws -> Bool {
    try await lock.withLock(access, deadline: .zero) { _ throws(AuthError) in true } ?? false
  }

  @Test("one writer keeps out writers and readers; readers keep out writers only")
  func access() async throws {
    let gate = Gate()
    let writer = await held(.exclusive, until: gate)
    #expect(try await !isFree(.exclusive))
    #expect(try await !isFree(.shared))
    gate.open()
    #expect(try await writer.value)
    let end = Gate()
    let reader = await held(.shared, until: end)
    #expect(try await isFree(.shared))
    #expect(try await !isFree(.exclusive))
    end.open()
    #expect(try await reader.value)
    #expect(try await isFree(.exclusive))
  }

  @Test("a deadline ends the wait, and the waiter is forgotten")
  func deadline() async throws {
    let gate = Gate()
    let writer = await held(.exclusive, until: gate)
    let waited = try await lock.withLock(.exclusive, deadline: .milliseconds(5)) { _ throws(AuthError) in true }
    #expect(waited == nil)
    gate.open()
    #expect(try await writer.value)
    #expect(try await isFree(.exclusive))
  }

  @Test("cancellation ends the wait", arguments: [false, true])
  func cancelled(before: Bool) async throws {
    let gate = Gate()
    let writer = await held(.exclusive, until: gate)
    let begin = Gate()
    let waiter = Task { [lock] in
      if before { await begin.pass() }
      return try await lock.withLock(.shared, deadline: .seconds(600)) { _ throws(AuthError) in true }
    }
    waiter.cancel()
    begin.open()
    #expect(try await waiter.value == nil)
    gate.open()
    #expect(try await writer.value)
    #expect(try await isFree(.exclusive))
  }

  @Test("the body's error is thrown, and the lock is free again")
  func throwing() async throws {
    let error = AuthError.failed(.init("a", why: "b", hint: "c"))
    await #expect(throws: error) {
      try await lock.withLock(.exclusive, deadline: .zero) { _ async throws(AuthError) -> Bool in throw error }
    }
    #expect(try await isFree(.exclusive))
  }

  /// Who is inside the lock.
  private final class Inside: Sendable {
    private let state = Mutex((writers: 0, readers: 0, clashes: 0, served: 0))

    var clashes: Int { state.withLock { $0.clashes } }
    var served: Int { state.withLock { $0.served } }

    func enter(_ access: LockAccess) {
      state.withLock { state in
        if access == .exclusive { state.writers += 1 } else { state.readers += 1 }
        if state.writers > 1 || state.writers == 1 && state.readers > 0 { state.clashes += 1 }
      }
    }

    func leave(_ access: LockAccess) {
      state.withLock { state in
        if access == .exclusive { state.writers -= 1 } else { state.readers -= 1 }
        state.served += 1
      }
    }
  }

  @Test("of a thousand writers and readers no writer is ever with another one, and all are served")
  func many() async throws {
    let inside = Inside()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1000 {
        let access: LockAccess = number % 3 == 0 ? .exclusive : .shared
        group.addTask { [lock] in
          _ = try await lock.withLock(access, deadline: .seconds(600)) { _ throws(AuthError) in
            inside.enter(access)
            await Task.yield()
            inside.leave(access)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(inside.served == 1000)
    #expect(inside.clashes == 0)
  }
}
