package import FoundationEssentials

/// Refreshes a pair with a closure of the program, for a server that does not use OAuth.
///
/// The closure gets the old pair and gives the new one; ``TokenPair/refreshed(by:sentAt:)`` makes it from what the
/// server answered. It may throw a ``RefreshFailure``, an ``AuthError`` or an ``APIError``: see
/// ``RefreshFailure/init(thrown:)`` for what becomes of the session then.
package struct ClosureRefresher: TokenRefresher {
  /// Makes a new pair of an old one by asking the server.
  package typealias Refresh = @Sendable (TokenPair) async throws -> TokenPair

  private let refreshTokenMargin: Duration
  private let now: @Sendable () -> Date
  private let ask: Refresh

  /// Takes the closure.
  ///
  /// - Parameters:
  ///   - refreshTokenMargin: treat the refresh token as expired this long before its expiry and do not send it; with
  ///     zero the server decides.
  ///   - now: the clock.
  package init(
    refreshTokenMargin: Duration = .zero, now: @escaping @Sendable () -> Date = { Date() }, _ refresh: @escaping Refresh
  ) {
    self.refreshTokenMargin = refreshTokenMargin
    self.now = now
    ask = refresh
  }

  package func canRefresh(_ pair: TokenPair) -> Bool { pair.canRefresh(at: now(), margin: refreshTokenMargin) }

  package func check(_ pair: TokenPair) throws(RefreshFailure) {
    guard let why = pair.objection(margin: refreshTokenMargin, at: now()) else { return }
    throw .other(.loginRequired(.init("refreshing the token", why: why, hint: "log in again")))
  }

  package func refresh(_ pair: TokenPair) async throws(RefreshFailure) -> TokenPair {
    try check(pair)
    do {
      var refreshed = try await ask(pair)
      // It is the same session still, whatever the closure made the pair from.
      refreshed.sessionID = pair.sessionID
      refreshed.loggedInAt = pair.loggedInAt
      refreshed.lastRefresh = refreshed.issuedAt
      refreshed.lastError = nil
      return refreshed
    } catch {
      throw RefreshFailure(thrown: error)
    }
  }
}

/// Revokes a pair with a closure of the program.
package struct ClosureRevocation: TokenRevocation {
  /// Asks the server to end the life of a pair.
  package typealias Revoke = @Sendable (TokenPair) async throws -> Void

  private let ask: Revoke

  /// Takes the closure; whatever it throws, the tokens are removed here and may stay good at the server.
  package init(_ revoke: @escaping Revoke) {
    ask = revoke
  }

  package func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool {
    do {
      try await ask(pair)
      return true
    } catch {
      throw AuthError(thrown: error, while: "revoking the tokens")
    }
  }
}
