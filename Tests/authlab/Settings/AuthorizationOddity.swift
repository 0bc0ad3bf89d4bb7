/// A way in which the authorization response deviates from RFC 6749, section 4.1.2 and RFC 9207.
enum AuthorizationOddity: String, Codable, Sendable {
  /// None.
  case none
  /// `state` has another value than the request's.
  case wrongState = "wrong-state"
  /// `state` is missing.
  case missingState = "missing-state"
  /// `iss` names another issuer.
  case wrongIssuer = "wrong-iss"
  /// `iss` is missing.
  case missingIssuer = "missing-iss"
  /// There is neither `code` nor `error`.
  case noCode = "no-code"
  /// An error stands in the fragment, which the server behind the redirect never sees.
  case errorInFragment = "error-in-fragment"
  /// The browser stays where it is.
  case noRedirect = "no-redirect"
}
