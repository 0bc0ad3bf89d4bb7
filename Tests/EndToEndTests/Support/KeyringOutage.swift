import TestSupport

/// A way in which the keyring goes out of use, and comes back.
enum KeyringOutage: CaseIterable {
  /// It is locked, as with the screen.
  case locked
  /// Its process dies.
  case killed
  /// The session bus dies, and with it the keyring: the session is over.
  case busKilled

  /// Begins it.
  func begin(in session: PrivateSession) throws {
    switch self {
    case .locked: try session.lockCollection()
    case .killed: session.killKeyring()
    case .busKilled:
      session.killKeyring()
      session.killBus()
    }
  }

  /// Ends it.
  func end(in session: PrivateSession) throws {
    switch self {
    case .locked: try session.unlockCollection()
    case .killed: try session.startKeyring()
    case .busKilled:
      try session.restartBus()
      try session.startKeyring()
    }
  }
}
