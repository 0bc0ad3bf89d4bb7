package import FoundationEssentials

/// Refreshes a pair with a closure from the program, for a server that does not use OAuth.
package struct ClosureRefresher: TokenRefresher {
  /// Exchanges a pair for a new one at the server.
  package typealias Refresh = @Sendable (TokenPair) async throws -> TokenPair

  private let refreshTokenMargin: Duration
  private let origin: String?
  private let now: @Sendable () -> Date
  private let ask: Refresh

  /// Creates a refresher.
  ///
  /// - Parameters:
  ///   - refreshTokenMargin: treat the refresh token as expired this long before its expiry and do not send it; with
  ///     zero the server decides.
  ///   - origin: the only server that may get the refresh token; nil if the closure decides.
  ///   - now: returns the current time.
  package init(
    refreshTokenMargin: Duration = .zero, origin: String? = nil, now: @escaping @Sendable () -> Date = { Date() },
    _ refresh: @escaping Refresh
  ) {
    self.origin = origin
    self.refreshTokenMargin = refreshTokenMargin
    self.now = now
    ask = refresh
  }

  package func canRefresh(_ pair: TokenPair) -> Bool { pair.canRefresh(at: now(), margin: refreshTokenMargin) }

  package func validate(_ pair: TokenPair) throws(AuthError) {
    try pair.proveIssued(at: origin, "refreshing the token")
  }

  package func check(_ pair: TokenPair) throws(RefreshFailure) {
    do throws(AuthError) { try validate(pair) } catch { throw .other(error) }
    guard let (why, reason) = pair.objection(margin: refreshTokenMargin, at: now()) else { return }
    throw .other(.loginRequired(.init("refreshing the token", why: why, hint: "log in again", reason: reason)))
  }

  package func refresh(_ pair: TokenPair) async throws(RefreshFailure) -> TokenPair {
    try check(pair)
    do {
      var refreshed = try await ask(pair)
      // The session is still the same, even if the closure created the pair from scratch.
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

/// Revokes a pair with a closure from the program.
package struct ClosureRevocation: TokenRevocation {
  /// Requests that the server revokes a pair; returns false if nothing was sent.
  package typealias Revoke = @Sendable (TokenPair) async throws -> Bool

  private let origin: String?
  private let ask: Revoke

  /// Creates the revocation. If the closure throws, the tokens are still removed locally, but may remain valid at the
  /// server.
  ///
  /// - Parameter origin: the only server that may get the tokens; nil if the closure decides.
  package init(origin: String? = nil, _ revoke: @escaping Revoke) {
    self.origin = origin
    ask = revoke
  }

  package func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool {
    try pair.proveIssued(at: origin, "revoking the tokens")
    do {
      return try await ask(pair)
    } catch {
      throw AuthError(thrown: error, while: "revoking the tokens")
    }
  }
}

extension TokenPair {
  /// Checks that the server at an origin has issued this pair, as far as the pair records it.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` if another one has: it must not get the refresh token.
  fileprivate func proveIssued(at origin: String?, _ what: String) throws(AuthError) {
    guard let origin, let origins = server?.origins, !origins.contains(origin) else { return }
    throw .loginRequired(
      what, why: "the stored tokens are from \(origins.joined(separator: ", ")), not from \(origin)",
      hint: "log in again, or give the session another name")
  }
}
