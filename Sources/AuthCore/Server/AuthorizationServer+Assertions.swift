extension AuthorizationServer {
  /// Returns the client's private key: from the file that the profile names, else from the store. It has been checked
  /// to be usable.
  ///
  /// - Parameters:
  ///   - endpoint: the token endpoint for which the key signs.
  ///   - issued: the server of the stored pair; nil if the pair is not available.
  /// - Throws: ``AuthError/usage(_:)`` if the key is unusable, ``AuthError/loginRequired(_:)`` if none is stored for
  ///   this server and client.
  func assertionKey(at endpoint: WebURL?, of issued: TokenPair.Server?) async throws(AuthError) -> Secret {
    let text: Secret
    if let path = profile.assertion.key {
      text = try AssertionKeyFile(path, credentials: credentials).read()
    } else {
      text = try await stored(.key, at: endpoint, of: issued)
    }
    try AuthorizationServer.proveUsable(text, profile)
    return text
  }

  /// Checks that a key can sign as the profile requires, before any prompt or request.
  ///
  /// - Throws: ``AuthError/usage(_:)`` with the reason and the remedy.
  package static func proveUsable(_ key: Secret, _ profile: Profile) throws(AuthError) {
    _ = try AssertionIssuer.key(key, profile.assertion, named: profile.assertionKeyName)
  }

  /// Creates the assertions of this client.
  var assertions: AssertionIssuer {
    let endpoint = profile.endpoints.token?.string
    return AssertionIssuer(
      settings: profile.assertion, audience: profile.issuer ?? endpoint ?? "", now: time)
  }

  /// Creates a new assertion for use as a grant (RFC 7523, section 2.1). Its subject is the profile's user, or the
  /// client if the profile names none.
  func bearerAssertion(key: Secret, at endpoint: WebURL) async throws(AuthError) -> Secret {
    try await assertions.assertion(
      .init(
        issuer: profile.clientID, subject: profile.username ?? profile.clientID, endpoint: endpoint,
        further: profile.parameters.assertion), key: key, named: profile.assertionKeyName)
  }
}

extension Profile {
  /// The name of the private key in messages.
  var assertionKeyName: String {
    assertion.key.map { AssertionKeyFile($0).name } ?? "the private key of \(name)"
  }
}
