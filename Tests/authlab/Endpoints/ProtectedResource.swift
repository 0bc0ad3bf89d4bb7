/// The door of everything that wants an access token (RFC 6750).
struct ProtectedResource {
  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings

  /// Lets good tokens through and refuses the others.
  /// - Throws: `Errno` when the body can't be read.
  func answer(_ request: Request, body: RequestBody) async throws -> Response {
    let name = request.path == "/userinfo" ? "userinfo" : "api"
    guard let (scheme, token) = Self.token(request.headers["authorization"]) else {
      if request.method == "GET", name == "api", settings.getWithoutTokenStatus != 401 {
        return withoutChallenge(settings.getWithoutTokenStatus)
      }
      return refuse(name: name, error: nil, "An access token is needed.", status: 401, more: scopeParameter)
    }
    switch await state.status(of: token) {
    case .valid(let access, _) where !(settings.requiredAudience.isEmpty || access.isFor(settings.requiredAudience)):
      return refuse(name: name, error: "invalid_token", "The token is for another API.", status: 401)
    case .valid(let access, let family):
      if let refusal = await refusal(request, access, scheme: scheme, token: token, name: name) { return refusal }
      if name == "api", let refusal = insufficiency(access, family) { return refusal }
      if name == "userinfo" && !access.scope.contains("openid") {
        return refuse(name: name, error: "insufficient_scope", "The scope openid is needed.", status: 403)
      }
      return try await Resource(request: request, body: body, name: name).answer(token: (access, family))
    case .expired:
      let status = request.path == "/api/forbidden-when-expired" ? 403 : settings.expiredStatus
      return refuse(name: name, error: "invalid_token", "The access token expired.", status: status)
    case .revoked:
      return refuse(name: name, error: "invalid_token", "The access token was revoked.", status: 401)
    case .unknown:
      return refuse(name: name, error: "invalid_token", "The access token is not known.", status: 401)
    }
  }

  private func refuse(
    name: String, error: String?, _ description: String, status: Int, more: [(name: String, value: String)] = []
  ) -> Response {
    // A server that answers 403 for an expired token does so without a challenge.
    let form = status == 401 ? settings.challenge : .absent
    let place = settings.resourceMetadataUrl
    let metadata = place.isEmpty ? [] : [(name: "resource_metadata", value: place)]
    let length = settings.challengePadding
    let padding = length > 0 ? [(name: "padding", value: String(repeating: "x", count: length))] : []
    return BearerChallenge(form: form, error: error, description: description, more: padding + more + metadata)
      .response(status: status, outcome: "\(name).\(status)")
  }

  /// The answer to a GET without a token of a server that demands one for other methods only.
  private func withoutChallenge(_ status: Int) -> Response {
    guard status != 200 else { return LoginPage.notice("This is the page of an API.", outcome: "api.page") }
    return Response(status, json: ["error": "no_get"], outcome: "api.\(status)")
  }

  /// What is wrong with the proof of a token (RFC 9449, section 7.1); nil where nothing is.
  private func refusal(
    _ request: Request, _ access: AccessToken, scheme: String, token: String, name: String
  ) async -> Response? {
    guard let thumbprint = access.thumbprint else {
      return scheme == "bearer"
        ? nil : refuse(name: name, error: "invalid_token", "It is bound to no key.", status: 401)
    }
    do throws(OAuthError) {
      guard scheme == "dpop" else { throw OAuthError("invalid_token", "The token is bound to a key.") }
      let proof = try await state.verifyProof(request, needsNonce: settings.dpopApiNonce, accessToken: token)
      guard let proof else { throw DPoPProof.invalid("The proof is missing.") }
      guard proof == thumbprint else { throw OAuthError("invalid_token", "The token is bound to another key.") }
      return nil
    } catch {
      let outcome = "\(name).\(error.code)"
      guard error.code == "use_dpop_nonce" else {
        return Response(401, json: error.json, outcome: outcome)
          .adding("WWW-Authenticate", "DPoP error=\"\(error.code)\", algs=\"ES256\"")
      }
      let isBare = settings.dpopBareChallenge
      let response = isBare ? Response(empty: 401, outcome: outcome) : Response(401, json: error.json, outcome: outcome)
      return response.adding("DPoP-Nonce", await state.dpopNonce)
        .adding("WWW-Authenticate", isBare ? "DPoP" : "DPoP error=\"use_dpop_nonce\"")
    }
  }

  /// The scheme in lower case, and the token.
  private static func token(_ header: String?) -> (scheme: String, token: String)? {
    guard let parts = header?.split(separator: " ", maxSplits: 1), parts.count == 2,
      ["bearer", "dpop"].contains(parts[0].lowercased())
    else { return nil }
    return (parts[0].lowercased(), String(parts[1]))
  }
}
