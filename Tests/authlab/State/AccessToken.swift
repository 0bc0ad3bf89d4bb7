/// What the server knows about an access token.
struct AccessToken: Sendable {
  /// The family that it belongs to.
  let family: Int
  /// Its scope.
  let scope: [String]
  /// `aud` where it was asked for, or the settings say it (RFC 8707, section 2.2).
  let audience: [String]
  /// When it was issued, in seconds since 1970.
  let issuedAt: Double
  /// When it ends, in seconds since 1970.
  var expiresAt: Double
  /// The key that it is bound to, by its thumbprint (RFC 9449, section 6).
  var thumbprint: String?
  /// Whether it was revoked by itself.
  var isRevoked = false

  /// Whether an API takes it; one without an audience is for all.
  func isFor(_ resource: String) -> Bool { audience.isEmpty || audience.contains(resource) }
}
