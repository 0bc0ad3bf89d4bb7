/// Ends the life of a pair at the server that issued it.
public protocol TokenRevocation: Sendable {
  /// Revokes a pair.
  ///
  /// - Returns: false where there is nobody to ask.
  /// - Throws: ``AuthError``: the tokens may still be good.
  func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool
}

extension AuthorizationServer: TokenRevocation {}
