import Synchronization

/// A result that one task waits for, and that is set once; later results are dropped.
final class OneShot<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var continuation: CheckedContinuation<Value, any Error>?
  }

  private let state = Mutex(State())

  /// Sets the continuation that waits for the result.
  func begin(_ continuation: CheckedContinuation<Value, any Error>) {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let result { continuation.resume(with: result) }
  }

  /// Sets the result.
  func settle(_ result: Result<Value, any Error>) {
    let continuation = state.withLock { state in
      guard state.result == nil else { return nil as CheckedContinuation<Value, any Error>? }
      state.result = result
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: result)
  }
}
