/// The kind of server that a profile describes; the raw value is the word in the file.
public enum ProfileType: String, Sendable, CaseIterable {
  /// OAuth 2.0 or OpenID Connect.
  case oauth2
  /// A server with requests of its own.
  case custom
  /// An API that takes user name and password (RFC 7617).
  case basic
}
