/// Ends the life of a pair at the server that issued it.
public protocol TokenRevocation: Sendable {
  /// Revokes a pair.
  ///
  /// - Returns: false if there is no server that can revoke it.
  /// - Throws: ``AuthError``: the tokens may still be valid.
  func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool
}

extension AuthorizationServer: TokenRevocation {}

/// Where nothing can be revoked: a password is good until it is changed.
package struct NoRevocation: TokenRevocation {
  /// Makes it.
  package init() {}

  package func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool { false }
}
