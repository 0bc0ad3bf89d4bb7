/// Clients and grants that are proved by assertions (RFC 7521, RFC 7523).
extension LabState {
  /// Finds out which client sent a request, by whichever method.
  /// - Throws: `OAuthError` with `invalid_client`, or `invalid_request` for two methods at once.
  func client(of request: Request, form: FormFields) throws(OAuthError) -> Client {
    guard let text = form["client_assertion"] else {
      if let client = issuer(ofGrantIn: request, form) { return client }
      let client = try ClientAuthenticator(clients: clients, encoding: settings.basicEncoding).client(
        of: request, form: form)
      guard client.secretExpiresAt.map({ $0 > now }) ?? true else {
        throw OAuthError("invalid_client", "The client secret has expired.")
      }
      return client
    }
    guard request.headers["authorization"] == nil, form["client_secret"] == nil else {
      throw OAuthError("invalid_request", "More than one method of client authentication was used.")
    }
    guard form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else {
      throw OAuthError("invalid_client", "The client assertion type is not known.")
    }
    let assertion = try verified(text, error: "invalid_client")
    guard let client = clients[assertion.issuer], assertion.subject == client.id,
      [nil, client.id].contains(form["client_id"])
    else { throw OAuthError("invalid_client", "The assertion is not of the client.") }
    return client
  }

  /// Grants for an assertion (RFC 7523, section 2.1), to the user or client that it names.
  /// - Throws: `OAuthError` that says why not.
  func grantForAssertion(_ form: FormFields, client: Client) throws -> TokenResponse {
    guard let text = form["assertion"] else { throw OAuthError("invalid_request", "The assertion is missing.") }
    let assertion = try verified(text, error: "invalid_grant")
    guard users[assertion.subject] != nil || assertion.subject == assertion.issuer else {
      throw OAuthError("invalid_grant", "The subject is not known.")
    }
    let scope = try grantedScope(form["scope"], for: client)
    return try issue(
      startFamily(subject: assertion.subject, clientID: client.id, scope: scope, resources: resources(form)),
      withRefreshToken: settings.refreshTokenForClientCredentials)
  }

  /// Where the grant itself proves who asks, the client need not authenticate (RFC 7521, section 4.1).
  private func issuer(ofGrantIn request: Request, _ form: FormFields) -> Client? {
    guard form["grant_type"] == Endpoint.jwtBearer, request.headers["authorization"] == nil,
      form["client_secret"] == nil, let client = form["client_id"].flatMap({ clients[$0] }), client.key != nil
    else { return nil }
    return client
  }

  /// Verifies an assertion; each is taken once (RFC 7523, section 3).
  private func verified(_ text: String, error: String) throws(OAuthError) -> JWTAssertion {
    guard let assertion = JWTAssertion(text) else { throw OAuthError(error, "The assertion can't be read.") }
    guard let client = clients[assertion.issuer], assertion.isSigned(by: client) else {
      throw OAuthError(error, "The signature of the assertion is wrong.")
    }
    let audience = settings.assertionAudience == .issuer ? issuer : origin + "/token"
    guard assertion.audience == [audience] else {
      throw OAuthError(error, "The assertion is for another audience.")
    }
    guard assertion.expiresAt > wallClock(), assertion.expiresAt < wallClock() + 3600 else {
      throw OAuthError(error, "The assertion has expired, or does not for too long.")
    }
    guard assertionIDs.insert(assertion.id).inserted else {
      count("assertion.replayed")
      throw OAuthError(error, "The assertion was used before.")
    }
    count("assertion.\(assertion.algorithm)")
    return assertion
  }
}
