import HTTPTypes

extension Login {
  /// Pushes an authorization request to a server that requires or offers it (RFC 9126), unless the profile disables it.
  /// The browser then sends a reference. Otherwise the request is unchanged.
  ///
  /// - Throws: ``AuthError`` if the server refuses or is unavailable. If a server only offers the endpoint and it does
  ///   not exist, the request is returned unchanged.
  public func pushed(_ request: AuthorizationRequest) async throws(AuthError) -> AuthorizationRequest {
    guard profile.endpoints.pushesAuthorizationRequests else { return request }
    let isRequired =
      profile.endpoints.pushedAuthorizationRequest != nil || metadata?.requirePushedAuthorizationRequests == true
    guard let url = profile.endpoints.pushedAuthorizationRequest ?? metadata?.pushedAuthorizationRequestEndpoint else {
      guard isRequired else { return request }
      throw .refused(
        what, why: "the server requires pushed authorization requests, but publishes no endpoint for them",
        remedy: .stateEndpoint(session: profile.name.string, key: "pushed_authorization_request"))
    }
    let response = try await push(request, to: url)
    if !isRequired, [404, 405, 501].contains(response.status) {
      server.connection.events(
        .warning("\(url) returned \(response.status): continuing without a pushed authorization request"))
      return request
    }
    guard (200...299).contains(response.status) else { throw refusal(response, of: url, request) }
    return request.referred(to: try requestURI(in: response, of: url), clientID: profile.clientID)
  }

  private func push(_ request: AuthorizationRequest, to url: WebURL) async throws(AuthError) -> TransferResponse {
    var credentials: [(name: String, value: String)] = []
    var fields: HTTPFields = [:]
    let client = server.client(clientSecret)
    try await client.authenticate(&credentials, &fields, at: url)
    // `client_id` is part of the request itself and must not be sent twice.
    let form = request.fields + credentials.filter { $0.name != "client_id" }
    do {
      return try await server.connection.post(form, to: url, fields: fields)
    } catch {
      throw .tryLater(error.explanation(what))
    }
  }

  private func refusal(
    _ response: TransferResponse, of url: WebURL, _ request: AuthorizationRequest
  ) -> AuthError {
    let error = ErrorResponse(response)
    if TransientStatus.meansUnavailable(response.status) {
      return .tryLater(error.explanation(what, at: "\(url)", hint: "the browser was not opened; log in again later"))
    }
    let isClient = error.isInvalidClient || (error.error == nil && response.status == 401)
    let hint = isClient ? clientHint : error.hint(in: profile.flow, client: clientHint)
    // Some servers refuse a redirect URI as they refuse a client, without a word.
    let redirect = "the client must be registered with the redirect URI \(request.redirectURI)"
    return .refused(error.explanation(what, at: "\(url)", hint: "\(hint); \(redirect)"))
  }

  private func requestURI(in response: TransferResponse, of url: WebURL) throws(AuthError) -> String {
    let document = try? JSONValue(parsing: response.body)
    guard let uri = document?["request_uri"]?.string, !uri.isEmpty, uri.isVisibleASCII
    else {
      throw .refused(
        what, why: "\(url) returned \(response.status), but without a request_uri",
        hint: "check pushed_authorization_request in the profile, or ask the server's operator")
    }
    return uri
  }
}
