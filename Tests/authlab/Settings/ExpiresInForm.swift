/// The form of `expires_in` in a token response (RFC 6749, section 5.1, and what is seen in the field).
enum ExpiresInForm: String, Codable, Sendable {
  /// A whole number of seconds, as the RFC says.
  case number
  /// A string of digits.
  case string
  /// A number with a fraction.
  case float
  /// Not there.
  case absent
}
