/// The way in which a login obtains its tokens. The raw value is the word in a profile and after `--flow`.
package enum Flow: String, Sendable, CaseIterable {
  /// The authorization code grant with PKCE and a loopback redirect (RFC 6749, section 4.1; RFC 7636; RFC 8252).
  case browser
  /// The device authorization grant: the user approves on another device (RFC 8628).
  case device
  /// The resource owner password credentials grant (RFC 6749, section 4.3).
  case password
  /// The client credentials grant (RFC 6749, section 4.4); a refresh requests a new token.
  case clientCredentials = "client-credentials"
  /// An assertion as the grant (RFC 7523, section 2.1): signed with the client's key, or given.
  case jwtBearer = "jwt-bearer"
  /// The exchange of one token for another (RFC 8693).
  case tokenExchange = "token-exchange"
  /// Tokens that another program has obtained, read from standard input.
  case token
}
