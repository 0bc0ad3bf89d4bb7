import AuthCore
import Synchronization

/// What is under way when a command has its result: exchanges, and the commands that they cause.
package final class RunningRefreshes: Sendable {
  typealias Wait = @Sendable () async -> Void

  private struct State {
    var waits: [Wait] = []
    var detached: [Wait] = []
    var isOver = false
  }

  private let state = Mutex(State())

  /// Starts with none.
  package init() {}

  /// Remembers something that ends with this process, which must not exit before.
  ///
  /// - Parameter wait: returns when it has ended, which it does within bounded time.
  func add(_ wait: @escaping Wait) {
    state.withLock { $0.waits.append(wait) }
  }

  /// Remembers something that goes on in a process of its own.
  func addDetached(_ wait: @escaping Wait) {
    state.withLock { $0.detached.append(wait) }
  }

  /// Does something that must not be broken off by the end of this process; nil where that is already ending.
  func running<Result: Sendable>(_ work: () async throws(AuthError) -> Result) async throws(AuthError) -> Result? {
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    let mayBegin = state.withLock { state in
      if !state.isOver { state.waits.append { for await _ in ends {} } }
      return !state.isOver
    }
    guard mayBegin else { return nil }
    defer { end.finish() }
    return try await work()
  }

  /// Waits until nothing is under way that ends with this process.
  ///
  /// - Parameter patience: how long to wait for what goes on in processes of their own.
  package func finish(detachedFor patience: Duration = .zero) async {
    while let wait = next() { await wait() }
    let detached = state.withLock { $0.detached }
    guard patience > .zero, !detached.isEmpty else { return }
    await withTaskGroup { group in
      group.addTask { for wait in detached { await wait() } }
      // Only cut short when the others have ended.
      group.addTask { try? await ContinuousClock().sleep(for: patience) }
      await group.next()
      group.cancelAll()
    }
  }

  private func next() -> Wait? {
    state.withLock { state in
      state.isOver = state.waits.isEmpty
      return state.isOver ? nil : state.waits.removeFirst()
    }
  }
}
