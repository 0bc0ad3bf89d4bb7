/// What a login must ask for to get a refresh token.
enum RefreshTokenRule: String, Codable, Sendable {
  /// Nothing.
  case always
  /// The scope `offline_access` (OpenID Connect Core, section 11).
  case offlineAccess = "offline_access"
  /// `access_type=offline` in the authorization request; other grants need not ask.
  case accessType = "access_type"
  /// `prompt=consent` in the authorization request; other grants need not ask.
  case consent
  /// There is none, whatever was asked for.
  case never
}
