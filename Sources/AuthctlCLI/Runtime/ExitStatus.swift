/// What a command's end tells its caller.
enum ExitStatus: Int32, Sendable {
  /// All went well.
  case ok = 0
  /// Anything that isn't below.
  case failed = 1
  /// The command line or the profile must be mended.
  case usage = 2
  /// A person must log in.
  case loginRequired = 3
  /// The keyring is locked, absent, or refuses.
  case keyring = 4
  /// The same may work later.
  case tryLater = 5
  /// The authorization server refuses.
  case refused = 6
  /// The token would have gone to an origin that isn't the profile's.
  case origin = 7
  /// The API answered 400 or more.
  case http = 22
  /// Hang-up.
  case hangUp = 129
  /// Interrupt.
  case interrupt = 130
  /// Termination.
  case termination = 143
}
