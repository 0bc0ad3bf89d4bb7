/// The finding about the local clock when a stored pair is read, measured by the server's clock. The dates of the pair
/// are by the server's clock.
package enum LocalClock: Sendable, Equatable {
  /// It is right to a minute, as far as anybody can tell.
  case right
  /// The server's clock is so many seconds ahead; negative: behind.
  case off(by: Double)
  /// The server's clock is ahead by something between these, in seconds.
  ///
  /// Either the local clock was set forward, or the machine was suspended without noticing, as happens to virtual
  /// machines. Or the machine was restarted since, and it is unknown whether a clock that was wrong before is still
  /// wrong.
  case doubtful(least: Double, most: Double)
  /// It shows a time before that of the issuance: it is behind, by so many seconds or any number more.
  case setBack(atLeast: Double)

  /// The least to add to the local clock, in seconds. The expiry of a refresh token is judged by it: an unsuccessful
  /// request is better than giving up a valid token.
  var least: Double {
    switch self {
    case .right: 0
    case .off(let seconds), .doubtful(let seconds, _), .setBack(let seconds): seconds
    }
  }

  /// The most to add to the local clock, in seconds; nil if there is no upper limit. The expiry of an access token is
  /// judged by it: an unnecessary refresh is better than using an expired token.
  var most: Double? {
    switch self {
    case .right: 0
    case .off(let seconds), .doubtful(_, let seconds): seconds
    case .setBack: nil
    }
  }

  /// By how much the server's clock is ahead of the local one, in seconds, where that is known and more than a minute.
  package var offset: Double? {
    if case .off(let seconds) = self { seconds } else { nil }
  }
}

extension LocalClock {
  /// What a person should know of a clock that is wrong; nil where it is right.
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

  /// What a person should know of a clock that is off by so many seconds.
  static func warning(off seconds: Double) -> String {
    "the local clock is \(difference(seconds)) the server's: expiry is calculated by the server's"
  }

  private static func difference(_ seconds: Double) -> String {
    DurationText.describe(abs(seconds)) + (seconds > 0 ? " behind" : " ahead of")
  }
}
