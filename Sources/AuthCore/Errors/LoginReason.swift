/// The reason why the user must log in. The raw value is the word in JSON.
public enum LoginReason: String, Sendable, CaseIterable, Codable {
  /// Not logged in, or logged out since.
  case notLoggedIn = "not_logged_in"
  /// The access token can't be used any more, and the server has issued no refresh token.
  case noRefreshToken = "no_refresh_token"
  /// The server has refused the refresh token.
  case refused
  /// The refresh token has expired.
  case expired
  /// The refresh token expires so soon that the session's margin forbids to send it.
  case margin
}
