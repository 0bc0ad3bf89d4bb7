/// A valid authorization request (RFC 6749, section 4.1.1; RFC 7636, section 4.3).
struct AuthorizationRequest: Sendable {
  /// The client that asks.
  let clientID: String
  /// Where the answer goes.
  let redirectURI: String
  /// The scope that is asked for.
  let scope: [String]
  /// The opaque value that goes back with the answer.
  let state: String?
  /// The value for the ID token (OpenID Connect Core, section 3.1.2.1).
  let nonce: String?
  /// The S256 challenge, if there is one.
  let codeChallenge: String?
  /// `dpop_jkt`: the key that must be proven at the token endpoint (RFC 9449, section 10).
  var dpopThumbprint: String?
  /// `acr_values`: how the person should log in, the best way first (OpenID Connect Core, section 3.1.2.1).
  var acrValues: [String] = []
  /// `resource`: where the tokens are to be used (RFC 8707, section 2.1).
  var resources: [String] = []
  /// Whether `access_type` is `offline`, as some servers want it for a refresh token.
  var isOffline = false
  /// Whether `prompt` asks for consent (OpenID Connect Core, section 3.1.2.1).
  var asksForConsent = false
  /// Whether the answer is a form that posts itself (OAuth 2.0 Form Post Response Mode).
  let usesFormPost: Bool
}
