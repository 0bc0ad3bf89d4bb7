/// What an access token is worth at this moment.
enum TokenStatus: Sendable {
  /// It is good.
  case valid(AccessToken, TokenFamily)
  /// Its time is over.
  case expired
  /// It was revoked.
  case revoked
  /// This server never issued it.
  case unknown
}
