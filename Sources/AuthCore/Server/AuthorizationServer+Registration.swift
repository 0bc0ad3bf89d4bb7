import HTTPTypes

/// The client that a login registers at the server, and that the profiles of the issuer share.
extension AuthorizationServer {
  /// The item of the client registered at the issuer; nil if the profile has a client ID.
  var registrationItem: SecretItem? {
    guard profile.lacksClient else { return nil }
    return profile.issuer.map { SecretItem(registrationAt: $0) }
  }

  /// Returns the client that was registered at the profile's issuer; nil if there is none, or the profile names one.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  package func registeredClient() async throws(AuthError) -> RegisteredClient? {
    guard let item = registrationItem else { return nil }
    return try await secrets.load(item).flatMap { RegisteredClient(stored: $0) }
  }

  /// Returns the server for requests about a pair, with the client to which it was issued, if a login has chosen it.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  package func withClient(of pair: TokenPair) async throws(AuthError) -> AuthorizationServer {
    let server = knowing(pair)
    guard profile.lacksClient, let issued = pair.server, issued.issuer == profile.issuer, !issued.clientID.isEmpty
    else { return server }
    guard let client = try await registeredClient()?.named(issued.clientID) else {
      return server.with(clientID: issued.clientID)
    }
    return server.with(client)
  }

  /// Checks that the secret of the registered client has not expired.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)``: a login registers another client.
  func proveSecretValid() throws(AuthError) {
    guard let registration, registration.isExpired(at: connection.now()) else { return }
    throw .mustLogIn(to: profile.name.string, why: "the secret of the registered client has expired")
  }
}

// MARK: - Registering

extension AuthorizationServer {
  /// Registers a client and stores it as soon as the server has responded. Checks first that it can be stored.
  ///
  /// - Parameters:
  ///   - token: the initial access token (RFC 7591, section 3); nil for none.
  ///   - attempts: how many requests may still be sent.
  /// - Throws: ``ClientRegistration/Failure``.
  package func register(
    _ request: RegistrationRequest, at url: WebURL, _ metadata: ServerMetadata, token: Secret?, attempts: inout Int
  ) async throws(ClientRegistration.Failure) -> RegisteredClient {
    guard let item = registrationItem else {
      throw .failed(
        .failed("registering a client", why: "the profile has a client ID", hint: "report this as a bug"))
    }
    let former = try await storing { () throws(AuthError) in
      let former = try await secrets.load(item)
      try await secrets.save(former ?? RegisteredClient.begun, as: item)
      return former
    }
    var client: RegisteredClient
    do throws(ClientRegistration.Failure) {
      client = try await ClientRegistration(url: url, connection: connection, initialAccessToken: token)
        .register(request, methods: metadata.tokenEndpointAuthMethodsSupported, attempts: &attempts)
    } catch {
      // The failed registration is reported; an item without a client is harmless.
      if former == nil { try? await secrets.clear(item) }
      throw error
    }
    client.tokenEndpoint = profile.endpoints.token ?? metadata.tokenEndpoint
    let old = former.flatMap { RegisteredClient(stored: $0) }
    do throws(AuthError) {
      try await secrets.save(client.replacing(old).stored(), as: item)
    } catch {
      // A client that is not stored would stay at the server, unknown to everyone.
      _ = try? await delete(client)
      throw .failed(error)
    }
    return client
  }

  /// Registers a client that the server accepts: some servers register public clients, and then refuse them.
  ///
  /// - Parameters:
  ///   - token: the initial access token; nil for none.
  ///   - random: a text that is not an authorization code.
  /// - Throws: ``ClientRegistration/Failure``.
  package func registerAccepted(
    _ request: RegistrationRequest, at url: WebURL, _ metadata: ServerMetadata, token: Secret?, random: String
  ) async throws(ClientRegistration.Failure) -> RegisteredClient {
    let methods = metadata.tokenEndpointAuthMethodsSupported
    var attempts = ClientRegistration.attempts
    let client = try await register(request, at: url, metadata, token: token, attempts: &attempts)
    guard client.authentication == .none, attempts > 0, methods?.contains(ClientAuthentication.none.rawValue) != true,
      let other = request.withSecret(listed: methods), await probed(client, metadata, random) == nil
    else { return client }
    // A client that stays at the server does no harm.
    _ = try? await delete(client)
    let accepted = try await register(other, at: url, metadata, token: token, attempts: &attempts)
    try await storing { () throws(AuthError) in try await forgetFormer(client) }
    return accepted
  }

  private func storing<Result>(
    _ body: () async throws(AuthError) -> Result
  ) async throws(ClientRegistration.Failure) -> Result {
    do throws(AuthError) { return try await body() } catch { throw .failed(error) }
  }
}

// MARK: - Checking

extension AuthorizationServer {
  /// Returns a registered client as the server knows it; nil if the server no longer knows it.
  ///
  /// - Parameter random: a text that is not an authorization code.
  /// - Throws: ``AuthError/storage(_:_:)`` if a changed registration can't be stored.
  package func confirmed(
    _ client: RegisteredClient, _ metadata: ServerMetadata, random: String
  ) async throws(AuthError) -> RegisteredClient? {
    guard let management = client.management else { return await probed(client, metadata, random) }
    // A server that can't be reached for this request is reported by the next one.
    guard let response = try? await connection.get(management.url, fields: management.authorization) else {
      return client
    }
    switch response.status {
    case 200:
      // A response that is not JSON changes nothing.
      let current = (try? JSONValue(parsing: response.body)).map { client.updated(by: $0) } ?? client
      if current != client, let item = registrationItem, let stored = try await registeredClient() {
        try await secrets.save(stored.updating(current).stored(), as: item)
      }
      return current
    // RFC 7592, section 2.1; many servers return 404.
    case 401, 404, 410: return nil
    default: return await probed(client, metadata, random)
    }
  }

  /// Requests a token with a made-up code: a server that knows the client refuses the code only.
  private func probed(
    _ client: RegisteredClient, _ metadata: ServerMetadata, _ random: String
  ) async -> RegisteredClient? {
    let server = with(client)
    // Without a token endpoint, the login itself fails with a better message.
    guard let endpoint = try? server.tokenEndpoint(metadata, secret: client.clientSecret) else { return client }
    let failure = await server.failure(of: endpoint, madeUp: random)
    if case .refused(let response)? = failure, response.isUnknownClient { return nil }
    return client
  }
}

// MARK: - Deleting

extension AuthorizationServer {
  /// Deletes the client that a login has replaced, at the server and in the keyring.
  ///
  /// - Throws: ``AuthError``; the new client is stored in any case.
  package func removeFormer(_ client: RegisteredClient) async throws(AuthError) {
    _ = try await delete(client)
    try await forgetFormer(client)
  }

  /// Removes a client that another has replaced from the keyring.
  package func forgetFormer(_ client: RegisteredClient) async throws(AuthError) {
    guard let item = registrationItem, var current = try await registeredClient() else { return }
    current.former.removeAll { $0.clientID == client.clientID }
    try await secrets.save(current.stored(), as: item)
  }

  /// Removes the stored client of the issuer, and deletes it at the server (RFC 7592, section 2.3).
  ///
  /// - Returns: the client that the server keeps, because it offers no way to delete it; nil if there is none.
  /// - Throws: ``AuthError/storage(_:_:)``, or the error of the server; the item is then removed.
  package func removeRegisteredClient() async throws(AuthError) -> RegisteredClient? {
    guard let item = registrationItem, let stored = try await secrets.load(item) else { return nil }
    try await secrets.clear(item)
    guard let client = RegisteredClient(stored: stored) else { return nil }
    // Clients without a session any more: the result is that of the current one.
    for former in client.former { _ = try? await delete(former) }
    return try await delete(client) ? nil : client
  }

  /// Deletes a registered client at the server.
  ///
  /// - Returns: false if the server offers no way to delete it.
  /// - Throws: ``AuthError/tryLater(_:)`` or ``AuthError/refused(_:)``.
  package func delete(_ client: RegisteredClient) async throws(AuthError) -> Bool {
    guard let management = client.management else { return false }
    let what = "deleting the registered client"
    let hint = "delete client \(Escaped.text(client.clientID, limit: 80)) at the server if necessary"
    let response: TransferResponse
    do {
      response = try await connection.send(
        Transfer(method: .delete, url: management.url, fields: management.authorization))
    } catch {
      guard !error.isUnusable else { throw .refused(error.explanation(what, hint: hint)) }
      throw .tryLater(error.explanation(what, hint: hint))
    }
    let why = "\(management.url) returned \(ErrorResponse(response).words)"
    switch response.status {
    // A client that the server no longer knows is deleted.
    case 200...299, 401, 404, 410: return true
    case let status where TransientStatus.meansUnavailable(status): throw .tryLater(what, why: why, hint: hint)
    default: throw .refused(what, why: why, hint: hint)
    }
  }
}

extension RegisteredClient.Management {
  /// The header field of a request to the registration's address.
  fileprivate var authorization: HTTPFields { [.authorization: "Bearer \(token.exposed)"] }
}
