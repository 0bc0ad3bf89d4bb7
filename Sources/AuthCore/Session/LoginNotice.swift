import Synchronization

/// Says that a person must log in: once for each session that has died, however many requests meet it.
final class LoginNotice: Sendable {
  /// Which session the notice was about.
  private enum Told: Equatable {
    case nothing
    case nobodyLoggedIn
    case dead(Identity)
  }

  /// What tells a session from others; of a dead one it never changes.
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

  /// A session is dead, or there is none; `pair` is what is stored of it.
  func loginRequired(_ explanation: AuthError.Explanation, _ pair: TokenPair?) {
    let isNew = state.withLock { told in
      guard let pair else {
        // Whoever was told of a death and has cleared up after it knows.
        guard told == .nothing else { return false }
        told = .nobodyLoggedIn
        return true
      }
      let dead = Told.dead(Identity(pair))
      guard told != dead else { return false }
      told = dead
      return true
    }
    if isNew { tell(explanation) }
  }

  /// A pair was good: if it is another session than the one that died, the next death is news.
  func isAlive(_ pair: TokenPair) {
    state.withLock { told in
      if told != .dead(Identity(pair)) { told = .nothing }
    }
  }

  /// Somebody has logged in.
  func begin() { state.withLock { $0 = .nothing } }
}
