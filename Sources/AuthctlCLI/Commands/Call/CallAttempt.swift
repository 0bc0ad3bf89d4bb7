import AuthCore
import Synchronization

/// One sending of a request, which shows an answer only where the request is not going to be sent again.
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
  private let pause: @Sendable (Attempt.Outcome) -> Duration?
  private let state = Mutex(State())

  /// - Parameter pause: says after which pause the request is sent again; nil where it isn't.
  init(_ transfer: Transfer, pause: @escaping @Sendable (Attempt.Outcome) -> Duration?) {
    wanted = transfer
    self.pause = pause
  }

  /// The request to send.
  var transfer: Transfer {
    var transfer = wanted
    transfer.destination = { [self] answer in
      if let pause = pause(.answer(answer)) {
        state.withLock { $0.next = Next(reason: "the API returned \(answer.status)", pause: pause) }
        return .discard
      }
      state.withLock { $0.isShown = true }
      return try wanted.destination(answer)
    }
    return transfer
  }

  /// The sending that is to follow; nil where this was the last one.
  var next: Next? { state.withLock { $0.next } }

  /// Takes note that no whole answer came: what has been shown in part can't be taken back.
  func fail(_ error: TransportError) {
    state.withLock { state in
      guard state.next == nil, !state.isShown, let pause = pause(.failure(error)) else { return }
      state.next = Next(reason: Printable.text(error.description), pause: pause)
    }
  }
}
