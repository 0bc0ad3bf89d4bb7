/// What the server knows about an access token.
struct AccessToken: Sendable {
  /// The family that it belongs to.
  let family: Int
  /// Its scope.
  let scope: [String]
  /// When it was issued, in seconds since 1970.
  let issuedAt: Double
  /// When it ends, in seconds since 1970.
  var expiresAt: Double
  /// The key that it is bound to, by its thumbprint (RFC 9449, section 6).
  var thumbprint: String?
  /// Whether it was revoked by itself.
  var isRevoked = false
}
