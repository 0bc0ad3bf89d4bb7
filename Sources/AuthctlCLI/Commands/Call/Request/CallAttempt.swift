import AuthCore
import Synchronization

/// One attempt to send a request. Shows a response only if the request is not retried.
final class CallAttempt: Sendable {
  /// The next attempt.
  struct Next: Sendable {
    /// The reason why this attempt has failed.
    let reason: String
    /// The time to wait before the next attempt.
    let pause: Duration
  }

  private struct State {
    var next: Next?
    var isShown = false
  }

  private let wanted: Transfer
  private let pause: @Sendable (TransferOutcome) -> Duration?
  private let state = Mutex(State())

  /// - Parameter pause: returns the pause before the next attempt; nil if there is none.
  init(_ transfer: Transfer, pause: @escaping @Sendable (TransferOutcome) -> Duration?) {
    wanted = transfer
    self.pause = pause
  }

  /// The request to send.
  var transfer: Transfer {
    var transfer = wanted
    transfer.destination = { [self] response in
      if let pause = pause(.response(response)) {
        state.withLock { $0.next = Next(reason: "the API returned \(response.status)", pause: pause) }
        return .discard
      }
      state.withLock { $0.isShown = true }
      return try wanted.destination(response)
    }
    return transfer
  }

  /// The next attempt; nil if this was the last one.
  var next: Next? { state.withLock { $0.next } }

  /// Records that no complete response arrived. There is no retry if a part of it has been shown.
  func fail(_ error: TransportError) {
    state.withLock { state in
      guard state.next == nil, !state.isShown, let pause = pause(.failure(error)) else { return }
      state.next = Next(reason: Escaped.text(error.description), pause: pause)
    }
  }
}
