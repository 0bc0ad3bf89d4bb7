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

  /// When its secret ends, in seconds since 1970; never when nil.
  var secretExpiresAt: Double?
  /// What it has registered; nil for a client of the command line, which may do everything.
  var metadata: ClientMetadata?

  /// Whether it may use a grant (RFC 7591, section 2, `grant_types`).
  func allows(_ grant: String) -> Bool { metadata?.grantTypes.contains(grant) ?? true }

  /// Whether it may authenticate in this way (RFC 7591, section 2, `token_endpoint_auth_method`).
  func authenticates(by method: String) -> Bool { metadata.map { $0.method == method } ?? true }

  /// Whether it can authenticate (RFC 6749, section 2.1).
  var isConfidential: Bool { secret != nil || key != nil }
}
