extension Redaction {
  /// The readable parts of a JWT, without secrets.
  package struct ReadableToken: Sendable {
    /// The header, as JSON.
    package let header: String
    /// The claims, as JSON.
    package let claims: String
  }

  /// Returns the header and the claims of a JWT, and nothing of its signature; nil if the text is not a JWT.
  package func readable(_ text: String) -> ReadableToken? {
    let token = DecodedToken(Secret(text))
    guard let header = token.header, let claims = token.claims else { return nil }
    learn(token: Secret(text))
    return ReadableToken(header: json(header), claims: json(claims))
  }
}
