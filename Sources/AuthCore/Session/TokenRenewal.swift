/// Makes a new pair of an old one by asking the server: the one step in a token's life that can't be taken twice.
public protocol TokenRenewal: Sendable {
  /// Tells whether there is any sense in asking: a refresh token that may be sent, or a grant that can be repeated.
  func canRenew(_ pair: TokenPair) -> Bool

  /// Renews a pair. It is called under the profile's lock and is not cancelled.
  ///
  /// - Throws: ``RenewalFailure``, which says what became of the old pair.
  func renew(_ pair: TokenPair) async throws(RenewalFailure) -> TokenPair
}

/// Why a pair could not be renewed.
public enum RenewalFailure: Error, Sendable {
  /// The server says that the refresh token is dead, with its error code.
  case refreshTokenDead(String, AuthError.Explanation)
  /// Anything else: the pair is as good as it was.
  case other(AuthError)
}
