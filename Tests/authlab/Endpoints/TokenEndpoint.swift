/// The token endpoint (RFC 6749, section 3.2).
struct TokenEndpoint {
  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings

  /// Grants, or refuses in the form of RFC 6749, section 5.2.
  /// - Throws: `CryptoKitError` when a signature can't be made.
  func answer(_ request: Request, form: FormFields) async throws -> Response {
    guard request.method == "POST" else {
      return Response(405, json: ["error": "invalid_request"], outcome: "token.405").adding("Allow", "POST")
    }
    let grant = form["grant_type"]
    let name =
      "token." + (grant.map { Endpoint.grants.contains($0) ? Endpoint.name(ofGrant: $0) : "unsupported" } ?? "missing")
    do {
      let tokens = try await tokens(for: grant, request, form: form)
      let response = Response(
        200, text: tokens.json(settings).text, type: settings.tokenContentType, outcome: "\(name).ok")
      return unstored(response)
    } catch let error as OAuthError {
      return refusal(error, name: name, nonce: await state.dpopNonce)
    }
  }

  private func tokens(for grant: String?, _ request: Request, form: FormFields) async throws -> TokenResponse {
    if let name = form.repeatedName { throw OAuthError("invalid_request", "The parameter \(name) was given twice.") }
    guard let grant else { throw OAuthError("invalid_request", "The parameter grant_type is missing.") }
    let client = try await state.client(of: request, form: form)
    let thumbprint = try await state.verifyProof(request, needsNonce: settings.dpopTokenNonce)
    try await state.checkBinding(form, thumbprint: thumbprint)
    let tokens = try await tokens(for: grant, form: form, client: client)
    if client.metadata != nil, tokens.idToken != nil, settings.registrationFaults.contains(.noIDTokens) {
      throw OAuthError("server_error", "The client has no algorithm for ID tokens.")
    }
    guard let thumbprint else { return tokens }
    return await state.bind(tokens, to: thumbprint, client: client)
  }

  private func tokens(for grant: String, form: FormFields, client: Client) async throws -> TokenResponse {
    guard client.allows(grant) else {
      throw OAuthError("unauthorized_client", "The client has not registered this grant.")
    }
    switch grant {
    case "authorization_code": return try await state.exchangeCode(form, client: client)
    case "refresh_token": return try await state.refresh(form, client: client)
    case "password": return try await state.grantForPassword(form, client: client)
    case "client_credentials": return try await state.grantToClient(form, client: client)
    case Endpoint.jwtBearer: return try await state.grantForAssertion(form, client: client)
    case Endpoint.tokenExchange: return try await state.exchangeToken(form, client: client)
    case DeviceGrant.type: return try await state.pollDevice(form, client: client)
    default: throw OAuthError("unsupported_grant_type", "The grant type is not supported.")
    }
  }

  private func refusal(_ error: OAuthError, name: String, nonce: String) -> Response {
    let outcome = "\(name).\(error.code)"
    if error.isDeadRefreshToken && settings.deadRefreshToken == .empty {
      return unstored(Response(empty: 400, outcome: outcome))
    }
    var response = unstored(Response(error.status, json: error.json, outcome: outcome))
    if error.code == "use_dpop_nonce" { response = response.adding("DPoP-Nonce", nonce) }
    return error.status == 401 ? response.adding("WWW-Authenticate", "Basic realm=\"authlab\"") : response
  }

  private func unstored(_ response: Response) -> Response {
    response.adding("Cache-Control", "no-store").adding("Pragma", "no-cache")
  }
}
