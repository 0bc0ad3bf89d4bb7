/// Builds the form fields of the grants that need only the profile.
extension Profile {
  /// `grant_type` of an assertion (RFC 7523, section 2.1)
  static let jwtBearerGrantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

  /// `grant_type` of the device authorization grant (RFC 8628, section 3.4)
  static let deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

  /// The client credentials grant (RFC 6749, section 4.4).
  var clientCredentialsGrant: [(name: String, value: String)] {
    [("grant_type", "client_credentials")] + scopeAndTarget
  }

  /// The assertion grant (RFC 7523, section 2.1).
  func jwtBearerGrant(_ assertion: Secret) -> [(name: String, value: String)] {
    [("grant_type", Profile.jwtBearerGrantType), ("assertion", assertion.exposed)] + scopeAndTarget
  }

  /// `grant_type` of a token exchange (RFC 8693, section 2.1)
  static let tokenExchangeGrantType = "urn:ietf:params:oauth:grant-type:token-exchange"

  /// The grant of a workload: its token is the assertion of ``Flow/jwtBearer``, else it is exchanged.
  func subjectTokenGrant(_ token: Secret) -> [(name: String, value: String)] {
    guard flow != .jwtBearer else { return jwtBearerGrant(token) }
    return [
      ("grant_type", Profile.tokenExchangeGrantType), ("subject_token", token.exposed),
      ("subject_token_type", subjectToken.type),
    ] + scopeAndTarget
  }

  /// `scope` (RFC 6749, section 3.3), `audience`, and `resource` (RFC 8707, section 2).
  var scopeAndTarget: [(name: String, value: String)] {
    (scope.isEmpty ? [] : [("scope", scope.joined(separator: " "))])
      + (audience.map { [("audience", $0)] } ?? []) + resource.map { ("resource", $0) }
  }
}

extension Profile {
  /// Returns the reason why a token must not be used; nil if it can be used. Its type is unknown, and the profile does
  /// not state how to send it (RFC 6749, section 7.1).
  func objection(to response: TokenResponse) -> String? {
    let type = response.tokenType
    // Some servers confuse it with the type of a token exchange (RFC 8693, section 3).
    guard !isHeaderStated, !["", "bearer", "dpop", "access_token"].contains(type.lowercased()) else { return nil }
    return "the token is of type '\(Escaped.text(type, limit: 40))', neither Bearer nor DPoP"
  }

  /// The hint for such a token.
  static let headerHint = "if the API accepts it, set in [header] of the profile how it is sent"

  /// The hint for a response that a server should not send.
  static let endpointHint = "check the endpoint in the profile, or ask the server's operator"
}
