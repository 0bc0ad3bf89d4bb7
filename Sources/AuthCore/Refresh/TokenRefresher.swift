/// Exchanges a token pair for a new one at the server. Must not be repeated: the refresh token may be single-use.
public protocol TokenRefresher: Sendable {
  /// Whether a refresh can succeed. The pair must have a refresh token that may be sent, or a grant that can be
  /// repeated.
  func canRefresh(_ pair: TokenPair) -> Bool

  /// Checks that a pair may be used: it must be from the server that would refresh it.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)``.
  func validate(_ pair: TokenPair) throws(AuthError)

  /// Checks that a refresh request can be sent.
  ///
  /// - Throws: ``RefreshFailure``; nothing has been sent.
  func check(_ pair: TokenPair) throws(RefreshFailure)

  /// Refreshes a pair. It is called under the profile's lock and is not cancelled.
  ///
  /// - Throws: ``RefreshFailure``, which determines what is stored in place of the old pair.
  func refresh(_ pair: TokenPair) async throws(RefreshFailure) -> TokenPair
}

/// A refresher that opens the connection to the server before the refresh begins.
package protocol ConnectingRefresher: TokenRefresher {
  /// Refreshes a pair as ``TokenRefresher/refresh(_:)`` does.
  ///
  /// - Parameter begin: called before each request, when its connection is open. If it throws, nothing is sent.
  /// - Throws: ``RefreshFailure``; ``RefreshFailure/other(_:)`` with the error of `begin`.
  func refresh(
    _ pair: TokenPair, beginning begin: @escaping @Sendable () async throws(AuthError) -> Void
  ) async throws(RefreshFailure) -> TokenPair
}

extension ConnectingRefresher {
  /// Refreshes a pair without anything to do before.
  package func refresh(_ pair: TokenPair) async throws(RefreshFailure) -> TokenPair {
    try await refresh(pair) { () throws(AuthError) in }
  }
}

extension TokenRefresher {
  /// Accepts every pair.
  public func validate(_ pair: TokenPair) throws(AuthError) {}

  /// Accepts every pair; the refresh itself checks it.
  public func check(_ pair: TokenPair) throws(RefreshFailure) {}
}

/// The reason why a pair could not be refreshed.
public enum RefreshFailure: Error, Sendable {
  /// The server reports, with an error code, that the refresh token is dead.
  case refreshTokenDead(String, AuthError.Explanation)
  /// The response was lost or is invalid. The server may have refreshed, and the old refresh token may be used up.
  case uncertain(AuthError)
  /// The server has refreshed, but the new access token can't be used. The pair to keep has the newest refresh token.
  case unusable(AuthError, keeping: TokenPair)
  /// The server requests a pause, in seconds, before the next request; the pair is unaffected.
  case unavailable(AuthError, retryAfter: Double)
  /// Other clients used the server's nonces first, so a retry may succeed; the pair is unaffected.
  case contended(AuthError)
  /// Any other failure; the pair is unaffected.
  case other(AuthError)

  /// The error for the caller that requested the token.
  public var reason: AuthError {
    switch self {
    case .refreshTokenDead(_, let explanation): .loginRequired(explanation)
    case .uncertain(let error), .unusable(let error, _), .unavailable(let error, _), .contended(let error),
      .other(let error):
      error
    }
  }
}

/// A refresher for credentials that cannot be refreshed: a password is valid until it is changed.
struct NoRefresher: TokenRefresher {
  let session: String

  func canRefresh(_ pair: TokenPair) -> Bool { false }

  func refresh(_ pair: TokenPair) async throws(RefreshFailure) -> TokenPair {
    try check(pair)
    return pair
  }

  func check(_ pair: TokenPair) throws(RefreshFailure) {
    throw .other(
      .usage(
        AuthError.session(session), why: "it has a password, and nothing to refresh",
        remedy: .logIn(session: session)))
  }
}

extension RefreshFailure {
  /// The failure if the refresh token has expired by the clocks of this machine. Any error code from the server about
  /// the grant then means that the token is dead, and the request is not retried.
  var asExpired: RefreshFailure {
    guard case .other(.refused(var explanation)) = self, let code = explanation.serverError,
      !RefreshFailure.codesBesideTheGrant.contains(code)
    else { return self }
    explanation.hint = "the refresh token has expired: log in again"
    return .refreshTokenDead(code, explanation)
  }

  /// Codes about the client, or about a temporary condition (RFC 6749, sections 4.1.2.1 and 5.2; RFC 9449, section 5).
  private static let codesBesideTheGrant: Set<String> = [
    "invalid_client", "unauthorized_client", "server_error", "internal_server_error", "temporarily_unavailable",
    "slow_down", "use_dpop_nonce", "invalid_dpop_proof",
  ]
}
