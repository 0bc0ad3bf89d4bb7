import AuthCore
import Synchronization

/// One sending of a request, which shows a response only where the request is not going to be sent again.
final class CallAttempt: Sendable {
  /// What comes after this one.
  struct Next: Sendable {
    /// Why this one has failed.
    let reason: String
    /// How long to wait first.
    let pause: Duration
  }

  private struct State {
    var next: Next?
    var isShown = false
  }

  private let wanted: Transfer
  private let pause: @Sendable (TransferOutcome) -> Duration?
  private let state = Mutex(State())

  /// - Parameter pause: says after which pause the request is sent again; nil where it isn't.
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

  /// The sending that is to follow; nil where this was the last one.
  var next: Next? { state.withLock { $0.next } }

  /// Takes note that no whole response came: what has been shown in part can't be taken back.
  func fail(_ error: TransportError) {
    state.withLock { state in
      guard state.next == nil, !state.isShown, let pause = pause(.failure(error)) else { return }
      state.next = Next(reason: Escaped.text(error.description), pause: pause)
    }
  }
}
