import Synchronization

/// Reports that the user must log in: once for each dead session, regardless of the number of requests.
final class LoginNotice: Sendable {
  /// The last report.
  private enum Reported: Equatable {
    case nothing
    case notLoggedIn
    case dead(Identity)
  }

  /// The identity of a session; that of a dead session never changes.
  private struct Identity: Equatable {
    let sessionID: String?
    let refreshToken: Secret?

    init(_ pair: TokenPair) {
      sessionID = pair.sessionID
      refreshToken = pair.refreshToken
    }
  }

  private let state = Mutex(Reported.nothing)
  private let report: @Sendable (AuthError.Explanation) -> Void

  init(_ report: @escaping @Sendable (AuthError.Explanation) -> Void) {
    self.report = report
  }

  /// Reports that a session is dead, or that the user is not logged in; `pair` is the stored pair.
  func loginRequired(_ explanation: AuthError.Explanation, _ pair: TokenPair?) {
    let isNew = state.withLock { reported in
      guard let pair else {
        // The dead session was already reported before the logout.
        guard reported == .nothing else { return false }
        reported = .notLoggedIn
        return true
      }
      let dead = Reported.dead(Identity(pair))
      guard reported != dead else { return false }
      reported = dead
      return true
    }
    if isNew { report(explanation) }
  }

  /// Records that a pair is usable. If it belongs to a session other than the dead one, the next dead session is
  /// reported.
  func isAlive(_ pair: TokenPair) {
    state.withLock { reported in
      if reported != .dead(Identity(pair)) { reported = .nothing }
    }
  }

  /// Records that the user has logged in.
  func loggedIn() { state.withLock { $0 = .nothing } }
}
