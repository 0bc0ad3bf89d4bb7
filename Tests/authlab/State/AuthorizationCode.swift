/// What the server knows about an authorization code (RFC 6749, section 4.1.2).
struct AuthorizationCode: Sendable {
  /// The request that it answers.
  let request: AuthorizationRequest
  /// Who granted.
  let subject: String
  /// When it ends, in seconds since 1970.
  let expiresAt: Double
  /// Whether it has been presented.
  var isSpent = false
  /// The family that came out of its first use.
  var family: Int?
}
