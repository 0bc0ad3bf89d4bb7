/// The audience that assertions must have (RFC 7523, section 3).
enum AssertionAudience: String, Codable, Sendable {
  /// The issuer identifier.
  case issuer
  /// The URL of the token endpoint.
  case tokenEndpoint = "token_endpoint"
}
