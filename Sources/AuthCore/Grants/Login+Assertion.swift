extension Login {
  /// The assertion grant (RFC 7523, section 2.1) with an assertion that the client signs.
  ///
  /// - Parameter key: the client's private key.
  public func jwtBearer(key: Secret) async throws(AuthError) -> TokenPair {
    let endpoint = try server.tokenEndpoint(metadata, secret: clientSecret)
    let assertion = try await server.bearerAssertion(key: key, at: endpoint.url)
    return try pair(try await ask(profile.jwtBearerGrant(assertion)))
  }

  /// The private key with which the client signs: from the profile's file or the store.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it is unusable, ``AuthError/loginRequired(_:)`` if there is none that was
  ///   given for this server and client.
  public func assertionKey() async throws(AuthError) -> Secret {
    try await server.assertionKey(at: profile.endpoints.token ?? metadata?.tokenEndpoint, of: nil)
  }

  /// The assertion grant with an assertion that somebody else has signed: it can't be repeated.
  public func jwtBearer(assertion: Secret) async throws(AuthError) -> TokenPair {
    var pair = try pair(try await ask(profile.jwtBearerGrant(assertion)))
    pair.flow = TokenPair.givenAssertion
    return pair
  }
}

extension TokenPair {
  /// The word for a pair of ``Flow/jwtBearer`` whose assertion was given: asking again is not possible.
  static let givenAssertion = "assertion"
}
