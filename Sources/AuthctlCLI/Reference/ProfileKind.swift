/// The kinds of server that a profile can describe; the raw value is the word after `type`.
enum ProfileKind: String, Sendable, CaseIterable {
  /// OAuth 2.0 and OpenID Connect.
  case oauth2
  /// A server with requests of its own.
  case custom
  /// HTTP Basic (RFC 7617).
  case basic
}
