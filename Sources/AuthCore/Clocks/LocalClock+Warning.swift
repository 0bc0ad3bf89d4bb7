extension LocalClock {
  /// What a person should know of a clock that is wrong; nil where it is right.
  public var warning: String? {
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
