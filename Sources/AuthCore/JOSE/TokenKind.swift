/// The purpose of a token.
package enum TokenKind: String, Sendable {
  /// It is sent to an API (RFC 6749, section 1.4).
  case access
  /// It is sent to the authorization server for new tokens (RFC 6749, section 1.5).
  case refresh
  /// It identifies the user to the client (OpenID Connect Core, section 2).
  case id

  /// Derives the purpose of a JWT from its header and claims; without a sign of another one it is an access token.
  ///
  /// `typ` is the header's (RFC 9068, section 2.1) or the claim that Keycloak sets.
  package init(of token: DecodedToken) {
    let type = (token.claims?["typ"]?.string ?? token.header?["typ"]?.string)?.lowercased()
    switch type {
    case "at+jwt", "application/at+jwt", "bearer": self = .access
    case "refresh", "offline", "rt+jwt": self = .refresh
    case "id": self = .id
    default: self = ["nonce", "at_hash", "c_hash"].contains { token.claims?[$0] != nil } ? .id : .access
    }
  }
}
