import HTTPTypes

/// Asks an authorization server about a token: for its keys, by introspection, and for the user's claims.
package struct TokenInquiry: Sendable {
  private let server: AuthorizationServer
  /// The session of the token; nil for a token without one.
  private let pair: TokenPair?
  private let metadata: Result<ServerMetadata?, AuthError>

  /// Fetches the server's metadata; a failure is the result of each question that needs it.
  ///
  /// - Parameter pair: the session of the token, whose client and key are used; nil for a token without a session.
  package init(_ server: AuthorizationServer, of pair: TokenPair?) async {
    self.server = pair.map { server.knowing($0) } ?? server
    self.pair = pair
    do throws(AuthError) {
      metadata = .success(try await server.metadata())
    } catch {
      metadata = .failure(error)
    }
  }

  /// Checks a signature with the server's keys. The token is not sent.
  package func signature(of token: Secret) async -> SignatureCheck {
    if let result = SignatureCheck.withoutKeys(DecodedToken(token)) { return result }
    do throws(AuthError) {
      guard let url = try endpoint(server.profile.endpoints.jwks, \.jwksURI) else {
        return .notChecked("the server names no key set (jwks_uri)")
      }
      return await SignatureCheck(of: token, with: KeySetDocument(url: url, connection: server.connection))
    } catch {
      return .notChecked("\(error.explanation.what): \(error.explanation.why)")
    }
  }

  /// Introspects a token (RFC 7662, section 2).
  ///
  /// - Throws: ``AuthError`` if there is no endpoint, no response, or the token is from another server.
  package func introspection(of token: Secret, _ kind: TokenKind) async throws(AuthError) -> JSONValue {
    let what = "introspection"
    try proveIssued(token, what)
    guard let url = try receiver(what, server.profile.endpoints.introspection, \.introspectionEndpoint) else {
      throw missing(what, "introspection")
    }
    let server = if let pair { try await server.withClient(of: pair) } else { server }
    if let pair { server.clock.learn(from: pair.localClock) }
    let tokenEndpoint = try endpoint(server.profile.endpoints.token, \.tokenEndpoint)
    let secret = try await server.clientSecret(at: tokenEndpoint, of: pair?.server)
    var form = [(name: "token", value: token.exposed), (name: "token_type_hint", value: "\(kind.rawValue)_token")]
    if kind == .id { form.removeLast() }
    var fields: HTTPFields = [:]
    try await server.client(secret).authenticate(&form, &fields, at: url)
    let response: TransferResponse
    do throws(ServerConnection.Unreachable) {
      response = try await server.connection.post(form, to: url, fields: fields)
    } catch {
      throw .tryLater(error.explanation(what, hint: "check the network; try again later"))
    }
    return try claims(in: response, from: url, what, hiding: [token, secret].compactMap { $0 })
  }

  /// Asks for the claims of the user (OpenID Connect Core, section 5.3).
  ///
  /// - Throws: ``AuthError`` if there is no endpoint, no response, or the token is from another server.
  package func userInfo(for token: Secret) async throws(AuthError) -> JSONValue {
    let what = "user info"
    try proveIssued(token, what)
    // The APIs may get the token, too.
    let url = try receiver(
      what, server.profile.endpoints.userinfo, \.userinfoEndpoint, further: server.profile.origins)
    guard let url else {
      throw missing(what, "userinfo")
    }
    let credential = if let pair { try await server.credential(pair) } else { APICredential(token) }
    return try claims(in: try await get(url, credential, what), from: url, what, hiding: [token])
  }

  /// Sends the request, again with a new nonce if the server requires one (RFC 9449, section 9).
  private func get(
    _ url: WebURL, _ credential: APICredential, _ what: String
  ) async throws(AuthError) -> TransferResponse {
    var retries = NonceRetries()
    while true {
      let (fields, nonce) = try credential.fields(TokenHeader(), for: .get, url)
      let response: TransferResponse
      do throws(ServerConnection.Unreachable) {
        response = try await server.connection.get(url, fields: HTTPFields(fields))
      } catch {
        throw .tryLater(error.explanation(what, hint: "check the network; try again later"))
      }
      guard let prover = credential.prover else { return response }
      prover.learn(from: response, of: url)
      guard DPoPProver.isNonceDemand(response, used: nonce), let pause = retries.pause() else { return response }
      // Only a cancellation ends this early; the transport detects it.
      if pause > .zero { try? await ContinuousClock().sleep(for: pause) }
    }
  }

  private func claims(
    in response: TransferResponse, from url: WebURL, _ what: String, hiding secrets: [Secret]
  ) throws(AuthError) -> JSONValue {
    // Before anything is cut: a part of a token would not be recognized.
    let known = KnownSecrets()
    for secret in secrets + response.secrets { known.add(token: secret) }
    let text = known.redacting(String(decoding: response.body, as: UTF8.self))
    var response = response
    response.body = Array(text.utf8)
    guard response.status == 200 else {
      let why = "\(url) returned \(ErrorResponse(response).words)"
      guard !TransientStatus.meansUnavailable(response.status) else { throw .tryLater(what, why: why) }
      throw .refused(what, why: why)
    }
    // A user info response can be a signed JWT (section 5.3.2).
    guard let claims = (DecodedToken(claims: text) ?? DecodedToken(Secret(text))).claims else {
      throw .refused(what, why: "\(url): the response is not a JSON object")
    }
    return claims
  }

  /// Checks that the token may be sent to the server: only to the one that issued it.
  private func proveIssued(_ token: Secret, _ what: String) throws(AuthError) {
    let endpoint = try metadata.get()?.tokenEndpoint
    if let change = pair?.server?.change(in: server.profile, discovered: endpoint) {
      throw .loginRequired(what, why: "\(change.words) since the login; the token was not sent")
    }
    guard pair?.server == nil, let issuer = DecodedToken(token).claims?["iss"]?.string,
      issuer != server.profile.issuer
    else { return }
    throw .refused(what, why: "the token was not sent, because it is from \(Escaped.text(issuer, limit: 160))")
  }

  private func endpoint(
    _ stated: WebURL?, _ published: (ServerMetadata) -> WebURL?
  ) throws(AuthError) -> WebURL? {
    if let stated { return stated }
    return try metadata.get().flatMap(published)
  }

  /// Returns the endpoint that gets the token. A stated one must be at the server that issued the token: on the origin
  /// of the issuer, of the token endpoint, or of the endpoint that the server publishes.
  ///
  /// - Parameter further: other origins that may get the token.
  private func receiver(
    _ what: String, _ stated: WebURL?, _ published: (ServerMetadata) -> WebURL?, further: Set<Origin> = []
  ) throws(AuthError) -> WebURL? {
    guard let stated else { return try endpoint(nil, published) }
    // Without metadata, the origins of the session and of the profile count.
    let known = try? metadata.get()
    let issuers = [pair?.server?.issuer, pair?.server?.tokenEndpoint, server.profile.issuer].compactMap(\.self)
    let urls =
      issuers.map { try? WebURL($0) } + [known.flatMap(\.self).flatMap(published), server.profile.endpoints.token]
    let origins = urls.compactMap { $0?.origin }
    guard origins.contains(stated.origin) || further.contains(stated.origin) else {
      throw .refused(what, why: "\(stated) is not at the server that issued the token; nothing was sent")
    }
    return stated
  }

  private func missing(_ what: String, _ key: String) -> AuthError {
    .refused(
      what, why: "the server names no \(key) endpoint",
      remedy: .stateEndpoint(session: server.profile.name.string, key: key))
  }
}
