import Synchronization

/// By how much the server's clock is ahead of the local one, for as long as the process lives: what is signed with a
/// time in it is dated so, for a server with another time refuses it.
final class ServerClock: Sendable {
  private let offset = Mutex(0.0)

  /// Starts in agreement with the local clock.
  init() {}

  /// What is to be added to the local clock, in seconds.
  var ahead: Double { offset.withLock { $0 } }

  /// Takes what is known of the local clock from a stored pair; what is in doubt changes nothing.
  func learn(from clock: LocalClock) {
    switch clock {
    case .right: offset.withLock { $0 = 0 }
    case .off(let seconds): offset.withLock { $0 = seconds }
    case .doubtful, .setBack: break
    }
  }

  /// Takes what a response has shown.
  ///
  /// - Returns: whether the time was wrong until now, by more than a minute.
  func learn(from clock: IssuanceClock) -> Bool {
    let seconds = clock.serverOffset ?? 0
    return offset.withLock { offset in
      guard abs(seconds - offset) > IssuanceClock.tolerance else { return false }
      offset = seconds
      return true
    }
  }
}
