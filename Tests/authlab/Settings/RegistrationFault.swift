/// A way in which the registration deviates from RFC 7591. Other failures are faults of `registration.create`,
/// `registration.read` and `registration.delete`.
enum RegistrationFault: String, Codable, Sendable {
  /// `http://127.0.0.1/…` without a port is refused with `invalid_redirect_uri`.
  case portNeeded = "port-needed"
  /// Every redirect URI of an IP address is refused with `invalid_redirect_uri`.
  case localhostOnly = "localhost-only"
  /// `scope` is refused with `invalid_client_metadata`.
  case noScope = "no-scope"
  /// A client without authentication is refused with `invalid_client_metadata`.
  case noPublicClients = "no-public-clients"
  /// More than one grant besides `refresh_token` is refused with `invalid_client_metadata`.
  case oneGrant = "one-grant"
  /// The token endpoint answers 500 as soon as a registered client gets an ID token.
  case noIDTokens = "no-id-tokens"
  /// The response has no `client_id`.
  case noClientID = "no-client-id"
  /// Another redirect URI is registered than the one that was asked for.
  case otherRedirectURI = "other-redirect-uri"
  /// Another authentication method is registered than the one that was asked for, always one with a secret.
  case otherMethod = "other-method"
  /// `registration_client_uri` is of another origin.
  case otherOrigin = "other-origin"
}
