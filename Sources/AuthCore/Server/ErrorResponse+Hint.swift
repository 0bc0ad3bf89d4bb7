extension ErrorResponse {
  /// Returns the hint for the error: one table for logins, refreshes and device polling.
  ///
  /// - Parameters:
  ///   - flow: the grant that was refused.
  ///   - client: what to check if the server refuses the client itself.
  package func hint(in flow: Flow, client: String) -> String {
    guard let error else {
      // An empty response does not say which of the two it refuses.
      guard flow != .password else { return ErrorResponse.grantHint(flow) + ", and the client: " + client }
      return isInvalidClient ? client : ErrorResponse.grantHint(flow)
    }
    switch error {
    case "invalid_client": return client + ErrorResponse.confidential(flow)
    // Several servers return it for a wrong secret, too.
    case "unauthorized_client":
      return "ask the server's operator to allow this client the flow \(flow.rawValue), or choose another flow; also "
        + client + ErrorResponse.confidential(flow)
    case "unsupported_grant_type":
      return "the server does not support the flow \(flow.rawValue): choose another flow in the profile"
    // Some servers refuse a wrong password with this code.
    case "invalid_request" where flow == .password: return ErrorResponse.grantHint(flow)
    default: break
    }
    if isInvalidGrant { return ErrorResponse.grantHint(flow) }
    return ErrorResponse.hints[error] ?? "see the server's error above; check the profile's settings"
  }

  private static let scope = "check scope: the server does not grant all of it to this client or user"
  private static let consent =
    "the user must consent: log in with flow = \"browser\", and with"
    + " authorization = { prompt = \"consent\" } in [parameters] if the server does not prompt"
  private static let denied = "log in again if that was not intended"

  /// The hints by error code: RFC 6749, sections 4.1.2.1 and 5.2; RFC 8707, section 2; OpenID Connect Core,
  /// section 3.1.2.6; and other codes.
  private static let hints = [
    "invalid_scope": scope, "scope_invalid": scope, "access_denied": denied, "authorization_declined": denied,
    "consent_required": consent, "interaction_required": consent,
    "login_required": "log in at the server in the browser first: flow = \"browser\"",
    "invalid_target": "check audience and resource: the server does not issue tokens for them",
    "unsupported_response_type": "the server does not support the authorization code flow for this client: choose"
      + " another flow",
    "invalid_dpop_proof": "check the clock of this machine",
    "server_error": "the server failed: try again later", "temporarily_unavailable": "try again later",
    "internal_server_error": "the server failed: try again later",
  ]

  /// The advice that the client credentials grant is for confidential clients only (RFC 6749, section 4.4).
  private static func confidential(_ flow: Flow) -> String {
    flow == .clientCredentials ? "; a public client can't use this flow: register one with a secret or a key" : ""
  }

  private static func grantHint(_ flow: Flow) -> String {
    switch flow {
    case .password: "check user name and password"
    case .jwtBearer:
      "check the assertion: its issuer, subject, audience and expiry, and that the server knows the key that signs it"
    case .tokenExchange: "check the subject token: it may have expired, or be of another type or issuer"
    case .clientCredentials: "check the client's registration at the server" + confidential(flow)
    case .browser, .device, .token: "log in again"
    }
  }
}
