extension Login {
  /// Requests tokens with the assertion grant (RFC 7523, section 2.1) and an assertion that the client signs.
  ///
  /// - Parameter key: the client's private key.
  public func jwtBearer(key: Secret) async throws(AuthError) -> TokenPair {
    let endpoint = try server.tokenEndpoint(metadata, secret: clientSecret)
    let assertion = try await server.bearerAssertion(key: key, at: endpoint.url)
    return try pair(try await ask(profile.jwtBearerGrant(assertion)))
  }

  /// Returns the private key with which the client signs: from the profile's file or the store.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it is unusable, ``AuthError/loginRequired(_:)`` if none is stored for this
  ///   server and client.
  public func assertionKey() async throws(AuthError) -> Secret {
    try await server.assertionKey(at: profile.endpoints.token ?? metadata?.tokenEndpoint, of: nil)
  }

  /// Requests tokens with an assertion that another party has signed. This login can't be repeated automatically.
  public func jwtBearer(assertion: Secret) async throws(AuthError) -> TokenPair {
    var pair = try pair(try await ask(profile.jwtBearerGrant(assertion)))
    pair.flow = TokenPair.givenAssertion
    return pair
  }
}

extension TokenPair {
  /// The flow of a ``Flow/jwtBearer`` pair whose assertion was given: the request can't be repeated.
  static let givenAssertion = "assertion"
}
