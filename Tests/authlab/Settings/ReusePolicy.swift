/// What happens when a spent refresh token is presented (RFC 9700, section 4.14.2).
enum ReusePolicy: String, Codable, Sendable {
  /// It is refused and its whole family is revoked, the newest pair included.
  case strict
  /// It is refused; the newest pair lives on.
  case oneUse = "one-use"
  /// It works again.
  case none
}
