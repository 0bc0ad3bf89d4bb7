/// Revokes a pair at the server that issued it.
public protocol TokenRevocation: Sendable {
  /// Revokes a pair.
  ///
  /// - Returns: false if no server can revoke it.
  /// - Throws: ``AuthError``; the tokens may still be valid.
  func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool
}

extension AuthorizationServer: TokenRevocation {}

/// A revocation that does nothing, for credentials such as a password, which is valid until it is changed.
package struct NoRevocation: TokenRevocation {
  /// Creates the revocation.
  package init() {}

  package func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool { false }
}
