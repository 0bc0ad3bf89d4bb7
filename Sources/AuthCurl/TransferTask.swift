import AuthCore
import Synchronization

/// Connects the task that waits for a response with the thread that runs the transfer.
final class TransferTask: Sendable {
  private struct State {
    var continuation: CheckedContinuation<TransferResponse, any Error>?
    var session: CurlSession?
    var isCancelled = false
    var isInLocalFile = false
    // For other transfers, before it starts.
    var isWaiting = true
  }

  private let state = Mutex(State())

  /// Whether the task was cancelled.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Sets the continuation to resume at the end.
  func begin(_ continuation: CheckedContinuation<TransferResponse, any Error>) {
    state.withLock { $0.continuation = continuation }
  }

  /// Sets the handle to wake if the task is cancelled; nil when it is no longer used.
  func use(_ session: CurlSession?) {
    state.withLock { ($0.session, $0.isWaiting) = (session, false) }
  }

  /// Ends the wait, unless it has ended.
  func finish(_ result: Result<TransferResponse, any Error>) {
    take { _ in true }?.resume(with: result)
  }

  /// Wakes the thread of the transfer.
  func wake() { state.withLock { $0.session }?.wake() }

  /// Cancels the transfer; its thread stops soon. One that has not started never does.
  ///
  /// A thread that is in a read or a write of a local file, such as a pipe whose other end does nothing, can't be
  /// interrupted. In that case the task returns at once, and the thread stops when the call returns.
  func cancel() {
    let session = state.withLock { state in
      state.isCancelled = true
      return state.session
    }
    session?.wake()
    take { $0.isInLocalFile || $0.isWaiting }?.resume(throwing: CancellationError())
  }

  /// Reads or writes a local file.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before; any error of `work`.
  func localFile<Value>(_ work: () throws -> Value) throws -> Value {
    let isCancelled = state.withLock { state in
      state.isInLocalFile = !state.isCancelled
      return state.isCancelled
    }
    guard !isCancelled else { throw CancellationError() }
    defer { state.withLock { $0.isInLocalFile = false } }
    return try work()
  }

  private func take(
    where condition: (borrowing State) -> Bool
  ) -> CheckedContinuation<TransferResponse, any Error>? {
    state.withLock { state in
      guard condition(state) else { return nil }
      defer { state.continuation = nil }
      return state.continuation
    }
  }
}
