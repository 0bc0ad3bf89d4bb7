/// A registered client (RFC 6749, section 2).
struct Client: Sendable {
  /// The client identifier.
  let id: String
  /// The client password; nil makes the client public, unless it has a key.
  let secret: String?
  /// The key that verifies its assertions (`private_key_jwt`, and the jwt-bearer grant).
  var key: AssertionVerifier?
  /// Whether its secret signs assertions and is never sent (`client_secret_jwt`).
  var signsWithSecret = false

  /// Whether it can authenticate (RFC 6749, section 2.1).
  var isConfidential: Bool { secret != nil || key != nil }
}
