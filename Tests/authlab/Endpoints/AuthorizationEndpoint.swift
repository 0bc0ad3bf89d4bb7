/// The authorization endpoint (RFC 6749, section 3.1; RFC 7636; RFC 9207).
struct AuthorizationEndpoint {
  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings

  /// Shows the page, or redirects with an error, or at once with a code.
  func answer(_ request: Request, form: FormFields) async -> Response {
    var parameters = request.method == "POST" ? form : request.query
    if let uri = parameters["request_uri"] {
      guard parameters["response_type"] != nil || !settings.pushedNeedsResponseType else {
        return LoginPage.failure("The parameter response_type is missing.", outcome: "authorize.response_type")
      }
      guard let pushed = await state.takePushed(uri, clientID: parameters["client_id"]) else {
        return LoginPage.failure("The pushed request is not known, or not any more.", outcome: "authorize.request_uri")
      }
      parameters = pushed
    } else if settings.par == .required {
      return LoginPage.failure("The request must be pushed.", outcome: "authorize.not_pushed")
    }
    // Before client and redirect URI are known to be right nothing is redirected (RFC 6749, section 4.1.2.1).
    guard let clientID = parameters["client_id"], let client = await state.clients[clientID] else {
      return LoginPage.failure("The client is not known.", outcome: "authorize.unknown_client")
    }
    guard let uri = parameters["redirect_uri"], RedirectURIRule(settings: settings, client: client).accepts(uri)
    else {
      return LoginPage.failure("The redirect URI is not accepted.", outcome: "authorize.redirect_uri")
    }
    let lacksConsent =
      parameters.words("scope").contains("offline_access") && !parameters.words("prompt").contains("consent")
    guard !settings.offlineNeedsConsent || !lacksConsent else {
      return LoginPage.failure("offline_access needs prompt=consent.", outcome: "authorize.consent")
    }
    let authorization = AuthorizationResponse(
      redirectURI: uri, state: parameters["state"], usesFormPost: parameters["response_mode"] == "form_post",
      issuer: await state.issuer, oddity: settings.authorizationOddity)
    do throws(OAuthError) {
      let valid = try await validate(parameters, client: client, redirectURI: uri)
      guard settings.grantWithoutPage else {
        return LoginPage(handle: await state.suspend(valid), request: valid).response(problem: nil)
      }
      guard let user = state.users.keys.min() else { throw OAuthError("access_denied", "There is no user.") }
      return authorization.granted(code: await state.grant(valid, subject: user))
    } catch {
      return authorization.failed(error)
    }
  }

  private func validate(
    _ parameters: FormFields, client: Client, redirectURI: String
  ) async throws(OAuthError) -> AuthorizationRequest {
    if let name = parameters.repeatedName {
      throw OAuthError("invalid_request", "The parameter \(name) was given twice.")
    }
    guard let type = parameters["response_type"] else {
      throw OAuthError("invalid_request", "The parameter response_type is missing.")
    }
    guard client.allows("authorization_code") else {
      throw OAuthError("unauthorized_client", "The client has not registered this grant.")
    }
    guard type == "code" else { throw OAuthError("unsupported_response_type", "Only code is supported.") }
    guard [nil, "query", "form_post"].contains(parameters["response_mode"]) else {
      throw OAuthError("invalid_request", "The response mode is not supported.")
    }
    let challenge = parameters["code_challenge"]
    guard challenge == nil || parameters["code_challenge_method"] == "S256" else {
      throw OAuthError("invalid_request", "The code challenge method must be S256.")
    }
    guard challenge != nil || client.isConfidential else {
      throw OAuthError("invalid_request", "A public client must send a code challenge.")
    }
    let scope = try await state.grantedScope(parameters["scope"], for: client)
    if settings.requireNonce, scope.contains("openid"), parameters["nonce"] == nil {
      throw OAuthError("invalid_request", "The parameter nonce is missing.")
    }
    return AuthorizationRequest(
      clientID: client.id, redirectURI: redirectURI, scope: scope, state: parameters["state"],
      nonce: parameters["nonce"], codeChallenge: challenge, dpopThumbprint: parameters["dpop_jkt"],
      acrValues: parameters.words("acr_values"), resources: try await state.resources(parameters),
      isOffline: parameters["access_type"] == "offline",
      asksForConsent: parameters.words("prompt").contains("consent"),
      usesFormPost: parameters["response_mode"] == "form_post")
  }
}
