/// The state of the local clock relative to the server's clock when a stored pair is read. The dates of the pair follow
/// the server's clock.
package enum LocalClock: Sendable, Equatable {
  /// It is right within a minute, according to the available readings.
  case right
  /// The server's clock is this many seconds ahead; negative if it is behind.
  case off(by: Double)
  /// The server's clock is ahead by an amount between these limits, in seconds.
  ///
  /// Either the local clock was set forward, or the machine was suspended without noticing, which happens to virtual
  /// machines. Or the machine has been restarted, and it is unknown whether a clock that was wrong before is still
  /// wrong.
  case doubtful(least: Double, most: Double)
  /// It shows a time before the issuance: it is behind by at least this many seconds.
  case setBack(atLeast: Double)

  /// The smallest correction of the local clock, in seconds. It determines the expiry of a refresh token: an
  /// unsuccessful request is better than giving up a valid token.
  var least: Double {
    switch self {
    case .right: 0
    case .off(let seconds), .doubtful(let seconds, _), .setBack(let seconds): seconds
    }
  }

  /// The largest correction of the local clock, in seconds; nil if there is no upper limit. It determines the expiry of
  /// an access token: an unnecessary refresh is better than using an expired token.
  var most: Double? {
    switch self {
    case .right: 0
    case .off(let seconds), .doubtful(_, let seconds): seconds
    case .setBack: nil
    }
  }

  /// How far the server's clock is ahead of the local one, in seconds; nil if unknown or at most a minute.
  package var offset: Double? {
    if case .off(let seconds) = self { seconds } else { nil }
  }
}

extension LocalClock {
  /// The warning about a wrong clock for the user; nil if it is right.
  package var warning: String? {
    switch self {
    case .right: nil
    case .off(let seconds): LocalClock.warning(off: seconds)
    case .doubtful(let least, let most):
      "the local clock may be \(LocalClock.difference(least < 0 ? least : most)) the server's: if in doubt, "
        + "the access token counts as expired"
    case .setBack(let seconds):
      "the local clock is \(LocalClock.difference(seconds)) the server's, or more: the access token counts as expired"
    }
  }

  /// Returns the warning for the user about a clock that is off by a number of seconds.
  static func warning(off seconds: Double) -> String {
    "the local clock is \(difference(seconds)) the server's: expiry is calculated by the server's"
  }

  private static func difference(_ seconds: Double) -> String {
    DurationText.describe(about: abs(seconds)) + (seconds > 0 ? " behind" : " ahead of")
  }
}
