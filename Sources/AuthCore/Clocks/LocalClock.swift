/// What is known of the local clock when a stored pair is read, measured by the clock by which the pair's dates count: the
/// server's.
public enum LocalClock: Sendable, Equatable {
  /// It is right to a minute, as far as anybody can tell.
  case right
  /// The server's clock is so many seconds ahead; negative: behind.
  case off(by: Double)
  /// The server's clock is ahead by something between these, in seconds.
  ///
  /// Either the local clock was set forward, or the machine was halted without knowing it, as virtual machines are. Or
  /// the machine was started anew since, and nobody knows whether a clock that was wrong before still is.
  case doubtful(least: Double, most: Double)
  /// It shows a time before that of the issuance: it is behind, by so many seconds or any number more.
  case setBack(atLeast: Double)

  /// The least that is to be added to the local clock, in seconds: by it a refresh token is counted, which is better sent
  /// in vain than given up.
  var least: Double {
    switch self {
    case .right: 0
    case .off(let seconds), .doubtful(let seconds, _), .setBack(let seconds): seconds
    }
  }

  /// The most that is to be added to the local clock, in seconds; nil where it may be anything. By it an access token is
  /// counted, which is better renewed in vain than believed.
  var most: Double? {
    switch self {
    case .right: 0
    case .off(let seconds), .doubtful(_, let seconds): seconds
    case .setBack: nil
    }
  }

  /// By how much the server's clock is ahead of the local one, in seconds, where that is known and more than a minute.
  public var offset: Double? {
    if case .off(let seconds) = self { seconds } else { nil }
  }
}
