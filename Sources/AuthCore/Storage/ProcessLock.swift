import Synchronization

/// A lock for a program that shares its tokens with no other process.
///
/// Waiters are served in the order of their arrival, readers together.
package final class ProcessLock: RefreshLock {
  private struct Waiter {
    let number: Int
    let access: LockAccess
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var isWritten = false
    var readers = 0
    var waiters: [Waiter] = []
    var lastNumber = 0

    /// Acquires the lock if it is free for this access.
    mutating func take(_ access: LockAccess) -> Bool {
      guard !isWritten, access == .shared || readers == 0 else { return false }
      if access == .shared { readers += 1 } else { isWritten = true }
      return true
    }
  }

  private let state = Mutex(State())

  /// Creates a lock that is not held.
  package init() {}

  package func withLock<Result: Sendable>(
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result? {
    guard await take(access, deadline: deadline) else { return nil }
    defer { release(access) }
    return try await body(LockHandle())
  }

  private func take(_ access: LockAccess, deadline: Duration) async -> Bool {
    let number: Int? = state.withLock { state in
      guard state.waiters.isEmpty, state.take(access) else {
        state.lastNumber += 1
        return state.lastNumber
      }
      return nil
    }
    guard let number else { return true }
    guard deadline > .zero else { return false }
    let timer = Task { [weak self] in
      try await ContinuousClock().sleep(for: deadline)
      self?.giveUp(number)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { wait(number, access, $0) }
    } onCancel: {
      giveUp(number)
    }
  }

  private func wait(_ number: Int, _ access: LockAccess, _ continuation: CheckedContinuation<Bool, Never>) {
    let isTaken = state.withLock { state in
      // It may have become free since the first attempt.
      if state.waiters.isEmpty, state.take(access) { return true }
      state.waiters.append(Waiter(number: number, access: access, continuation: continuation))
      return false
    }
    if isTaken { continuation.resume(returning: true) }
    // A waiter that was cancelled before it was queued has not been removed from the queue.
    if Task.isCancelled { giveUp(number) }
  }

  private func giveUp(_ number: Int) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
    }
    waiter?.continuation.resume(returning: false)
    // Waiters after it may be able to get the lock now.
    serve()
  }

  private func release(_ access: LockAccess) {
    state.withLock { state in
      if access == .shared { state.readers -= 1 } else { state.isWritten = false }
    }
    serve()
  }

  private func serve() {
    let served = state.withLock { state in
      var served: [Waiter] = []
      while let next = state.waiters.first, state.take(next.access) { served.append(state.waiters.removeFirst()) }
      return served
    }
    for waiter in served { waiter.continuation.resume(returning: true) }
  }
}
