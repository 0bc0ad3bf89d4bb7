/// Makes a new pair of an old one by asking the server: the one step in a token's life that can't be taken twice.
public protocol TokenRenewal: Sendable {
  /// Tells whether there is any sense in asking: a refresh token that may be sent, or a grant that can be repeated.
  func canRenew(_ pair: TokenPair) -> Bool

  /// Checks that a pair may be used at all: it comes from the server that would be asked for a new one.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)``.
  func validate(_ pair: TokenPair) throws(AuthError)

  /// Makes sure that there is something to ask with.
  ///
  /// - Throws: ``RenewalFailure``; nothing has been sent.
  func check(_ pair: TokenPair) throws(RenewalFailure)

  /// Renews a pair. It is called under the profile's lock and is not cancelled.
  ///
  /// - Throws: ``RenewalFailure``, which says what became of the old pair.
  func renew(_ pair: TokenPair) async throws(RenewalFailure) -> TokenPair
}

extension TokenRenewal {
  /// Accepts every pair.
  public func validate(_ pair: TokenPair) throws(AuthError) {}

  /// Leaves the check to the renewal itself.
  public func check(_ pair: TokenPair) throws(RenewalFailure) {}
}

/// Why a pair could not be renewed.
public enum RenewalFailure: Error, Sendable {
  /// The server says that the refresh token is dead, with its error code.
  case refreshTokenDead(String, AuthError.Explanation)
  /// The answer was lost, or makes no sense: the server may have renewed, and the old refresh token may be spent.
  case uncertain(AuthError)
  /// The server has refreshed, but its access token can't be used; the pair to keep has the newest refresh token.
  case unusable(AuthError, keeping: TokenPair)
  /// The server asks to be left alone for so many seconds; the pair is as good as it was.
  case unavailable(AuthError, retryAfter: Double)
  /// Other clients of the server were faster, which says nothing of the next attempt; the pair is as good as it was.
  case contended(AuthError)
  /// Anything else: the pair is as good as it was.
  case other(AuthError)

  /// The failure as whoever asked for the token is told of it.
  public var reason: AuthError {
    switch self {
    case .refreshTokenDead(_, let explanation): .loginRequired(explanation)
    case .uncertain(let error), .unusable(let error, _), .unavailable(let error, _), .contended(let error),
      .other(let error):
      error
    }
  }
}
