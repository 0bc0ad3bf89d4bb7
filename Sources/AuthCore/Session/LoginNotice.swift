import Synchronization

/// Reports that a person must log in: once for each dead session, regardless of the number of requests.
final class LoginNotice: Sendable {
  /// What was reported last.
  private enum Told: Equatable {
    case nothing
    case notLoggedIn
    case dead(Identity)
  }

  /// What distinguishes a session from others; for a dead one it never changes.
  private struct Identity: Equatable {
    let sessionID: String?
    let refreshToken: Secret?

    init(_ pair: TokenPair) {
      sessionID = pair.sessionID
      refreshToken = pair.refreshToken
    }
  }

  private let state = Mutex(Told.nothing)
  private let tell: @Sendable (AuthError.Explanation) -> Void

  init(_ tell: @escaping @Sendable (AuthError.Explanation) -> Void) {
    self.tell = tell
  }

  /// Reports that a session is dead, or that there is none; `pair` is what is stored of it.
  func loginRequired(_ explanation: AuthError.Explanation, _ pair: TokenPair?) {
    let isNew = state.withLock { told in
      guard let pair else {
        // A caller that was told of the dead session and has logged out knows.
        guard told == .nothing else { return false }
        told = .notLoggedIn
        return true
      }
      let dead = Told.dead(Identity(pair))
      guard told != dead else { return false }
      told = dead
      return true
    }
    if isNew { tell(explanation) }
  }

  /// Notes that a pair could be used. If it is of another session than the dead one, the next dead one is reported.
  func isAlive(_ pair: TokenPair) {
    state.withLock { told in
      if told != .dead(Identity(pair)) { told = .nothing }
    }
  }

  /// Notes that a person has logged in.
  func loggedIn() { state.withLock { $0 = .nothing } }
}
