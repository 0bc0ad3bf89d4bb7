import FoundationEssentials

/// The claims of a JSON Web Token (RFC 7519), read without verifying its signature.
///
/// Enough to learn when a token of our own expires, and for an ID token that came straight from the token endpoint over
/// TLS (OpenID Connect Core, section 3.1.3.7, item 6); never a proof of anything else.
struct JSONWebToken {
  /// The payload, a JSON object.
  let claims: JSONValue

  /// Takes a compact serialization apart; nil where the text is none.
  init?(unverified token: Secret) {
    let parts = token.exposed.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
      let claims = try? JSONValue(parsing: payload), case .object = claims
    else { return nil }
    self.claims = claims
  }
}
