import Synchronization

/// The difference between the server's clock and the local one, kept until the process ends. Signed timestamps are
/// corrected by it, because a server with a different time refuses them.
final class ServerClock: Sendable {
  private let offset = Mutex(0.0)

  /// Creates a clock that agrees with the local clock.
  init() {}

  /// The correction of the local clock, in seconds.
  var ahead: Double { offset.withLock { $0 } }

  /// Learns the difference from the state of the local clock of a stored pair; a doubtful state is ignored.
  func learn(from clock: LocalClock) {
    switch clock {
    case .right: offset.withLock { $0 = 0 }
    case .off(let seconds): offset.withLock { $0 = seconds }
    case .doubtful, .setBack: break
    }
  }

  /// Learns the difference from a response.
  ///
  /// - Returns: whether the previous difference was wrong by more than a minute.
  func learn(from clock: IssuanceClock) -> Bool {
    let seconds = clock.serverOffset ?? 0
    return offset.withLock { offset in
      guard abs(seconds - offset) > IssuanceClock.tolerance else { return false }
      offset = seconds
      return true
    }
  }
}
