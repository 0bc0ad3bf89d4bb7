import AuthCore
import Synchronization

/// The work that may continue after a command has its result: refreshes, and the commands that they start.
package final class RunningRefreshes: Sendable {
  typealias Wait = @Sendable () async -> Void

  private struct State {
    var waits: [Wait] = []
    /// How many of them have ended. They are kept: to free a session takes longer than to exit.
    var endedCount = 0
    var detached: [Wait] = []
    var isOver = false
  }

  private let state = Mutex(State())

  /// Creates an empty list.
  package init() {}

  /// Adds work that ends with this process, which must not exit before.
  ///
  /// - Parameter wait: returns when the work has ended, within bounded time.
  func add(_ wait: @escaping Wait) {
    state.withLock { $0.waits.append(wait) }
  }

  /// Adds work that continues in a separate process.
  func addDetached(_ wait: @escaping Wait) {
    state.withLock { $0.detached.append(wait) }
  }

  /// Runs work that the end of this process must not interrupt; nil if the process is already ending.
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

  /// Waits until all work that ends with this process has finished.
  ///
  /// - Parameter patience: how long to wait for work in separate processes.
  package func finish(detachedFor patience: Duration = .zero) async {
    while let wait = next() { await wait() }
    let detached = state.withLock { $0.detached }
    guard patience > .zero, !detached.isEmpty else { return }
    await withTaskGroup { group in
      group.addTask { for wait in detached { await wait() } }
      // The timeout starts after the other work has ended.
      group.addTask { try? await ContinuousClock().sleep(for: patience) }
      await group.next()
      group.cancelAll()
    }
  }

  private func next() -> Wait? {
    state.withLock { state in
      state.isOver = state.endedCount == state.waits.count
      guard !state.isOver else { return nil }
      state.endedCount += 1
      return state.waits[state.endedCount - 1]
    }
  }
}
