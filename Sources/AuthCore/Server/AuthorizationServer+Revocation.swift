extension AuthorizationServer {
  /// Revokes both tokens of a pair, the refresh token first, at the server that issued them.
  ///
  /// - Returns: false if the server has no revocation endpoint.
  /// - Throws: ``AuthError``; the tokens may still be valid.
  public func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool {
    let server = try await withClient(of: pair)
    guard let url = try await server.revocationEndpoint(pair) else { return false }
    let client = try await server.client(of: pair)
    try await Revocation(url: url, client: client, connection: server.connection).revoke(pair)
    return true
  }

  /// Revokes the tokens from a discarded response. A failure is only a warning: another error is reported already.
  ///
  /// - Parameter pair: the pair that was refreshed; nil at a login.
  func discard(_ response: TokenResponse, of pair: TokenPair) async {
    // The old refresh token remains in use if the server sent no other one.
    let refreshToken = response.refreshToken == pair.refreshToken ? nil : response.refreshToken
    let thrown = TokenPair(
      accessToken: response.accessToken, refreshToken: refreshToken, issuedAt: connection.now(), server: pair.server)
    await reportingDiscard { () throws(AuthError) in try await revoke(thrown) }
  }

  /// Revokes tokens that are discarded, and reports the outcome.
  func reportingDiscard(_ revoke: () async throws(AuthError) -> Bool) async {
    do throws(AuthError) {
      guard try await revoke() else {
        connection.events(.warning("the rejected tokens can't be revoked: no revocation endpoint"))
        return
      }
      connection.events(.revoked)
    } catch {
      connection.events(.warning("the rejected tokens were not revoked: \(error.explanation.why)"))
    }
  }

  private func revocationEndpoint(_ pair: TokenPair) async throws(AuthError) -> WebURL? {
    guard let issued = pair.server else {
      if let stated = profile.endpoints.revocation { return stated }
      return try await metadata()?.revocationEndpoint
    }
    let known = issued.revocationEndpoint.flatMap { try? WebURL($0) }
    // The request goes to the issuer of the pair, even if the profile now names another server.
    guard issued.change(in: profile) == nil else { return known }
    if let stated = profile.endpoints.revocation {
      let origins = [issued.revocationEndpoint, issued.tokenEndpoint, issued.issuer].compactMap { text in
        text.flatMap { try? WebURL($0) }?.origin
      }
      guard !origins.contains(stated.origin) else { return stated }
      guard known == nil else { return known }
      throw .refused(
        Revocation.failure("\(stated) is not at the server that issued the tokens; nothing was sent"))
    }
    guard issued.tokenEndpoint == nil else { return known }
    return try await metadata()?.revocationEndpoint
  }

  /// Returns the client to which a pair was issued. A stored secret or key is sent only to the server it was given for.
  private func client(of pair: TokenPair) async throws(AuthError) -> OAuthClient {
    clock.learn(from: pair.localClock)
    guard let issued = pair.server else {
      return client(try await clientSecret(at: profile.endpoints.token, of: nil))
    }
    let isOurs = issued.change(in: profile) == nil
    let authentication = profile.clientAuthentication
    let secret = try await secret(for: issued)
    if isOurs, secret == nil, authentication.needsSecret || authentication == .privateKeyJWT {
      throw .refused(Revocation.failure("the keyring has no client secret or key for this server"))
    }
    var client = client(secret)
    guard !isOurs else { return client }
    client.clientID = issued.clientID
    client.assertions?.audience = issued.issuer ?? issued.tokenEndpoint ?? ""
    // The audience in the profile is for the new server.
    client.assertions?.settings.audience = nil
    if secret == nil {
      client.authentication = authentication == .tls ? .tls : .none
    } else if !authentication.needsSecret, authentication != .privateKeyJWT {
      // Every server must support HTTP Basic (RFC 6749, section 2.3.1).
      client.authentication = .basic
    }
    return client
  }

  /// Returns the stored secret or private key for the server of a pair; nil if there is none.
  private func secret(for issued: TokenPair.Server) async throws(AuthError) -> Secret? {
    if let registration {
      return registration.server(issuer: profile.issuer).change(to: issued) == nil ? registration.clientSecret : nil
    }
    let isKey = profile.clientAuthentication == .privateKeyJWT
    if isKey, profile.assertion.key != nil { return try await assertionKey(at: nil, of: issued) }
    // The file is of the profile's server: its secret is not for a former one.
    if !isKey, issued.change(in: profile) == nil, let secret = try clientSecretInFile() { return secret }
    guard isKey || profile.clientAuthentication.needsSecret || issued.change(in: profile) != nil else { return nil }
    guard let bound = try await boundSecret(isKey ? .key : .clientSecret, of: issued), let server = bound.server,
      server.change(to: issued) == nil
    else { return nil }
    return bound.secret
  }
}
