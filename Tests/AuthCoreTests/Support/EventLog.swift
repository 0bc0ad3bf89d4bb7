import Synchronization

@testable import AuthCore

/// Keeps the events that it is given.
final class EventLog: Sendable {
  private let state = Mutex<[AuthEvent]>([])

  var events: [AuthEvent] { state.withLock { $0 } }

  var handler: EventHandler {
    { [self] event in state.withLock { $0.append(event) } }
  }
}
