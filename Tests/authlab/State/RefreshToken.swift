/// What the server knows about a refresh token.
struct RefreshToken: Sendable {
  /// The family that it belongs to.
  let family: Int
  /// When it was issued, in seconds since 1970.
  let issuedAt: Double
  /// When it ends, in seconds since 1970.
  let expiresAt: Double
  /// The access token that was issued with it.
  let accessToken: String
  /// Whether a newer one has taken its place.
  var isSpent = false
}
