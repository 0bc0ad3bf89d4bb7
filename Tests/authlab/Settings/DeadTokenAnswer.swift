/// How the token endpoint refuses a refresh token that is spent, expired, revoked or unknown.
enum DeadTokenAnswer: String, Codable, Sendable {
  /// `invalid_grant` (RFC 6749, section 5.2).
  case invalidGrant = "invalid-grant"
  /// Status 400 with neither body nor content type.
  case empty
}
