extension AuthorizationServer {
  /// The private key with which the client signs: from the file that the profile names, else from the store. It is
  /// proved to be usable.
  ///
  /// - Parameters:
  ///   - endpoint: the token endpoint for which it signs.
  ///   - issued: the server of the stored pair; nil if the pair is not at hand.
  /// - Throws: ``AuthError/usage(_:)`` where it is not, ``AuthError/loginRequired(_:)`` where there is none that was
  ///   given for this server and client.
  func assertionKey(at endpoint: WebURL?, of issued: TokenPair.Server?) async throws(AuthError) -> Secret {
    let text: Secret
    if let path = profile.assertion.key {
      text = try AssertionKeyFile(path).read()
    } else {
      text = try await stored(.key, at: endpoint, of: issued)
    }
    try AuthorizationServer.proveUsable(text, profile)
    return text
  }

  /// Proves that a key can sign as a profile says, before anything is asked or sent.
  ///
  /// - Throws: ``AuthError/usage(_:)`` with the reason and the remedy.
  package static func proveUsable(_ key: Secret, _ profile: Profile) throws(AuthError) {
    _ = try AssertionIssuer.key(key, profile.assertion, named: profile.assertionKeyName)
  }

  /// What makes the assertions of this client.
  var assertions: AssertionIssuer {
    let endpoint = profile.endpoints.token?.string
    return AssertionIssuer(
      settings: profile.assertion, audience: profile.issuer ?? endpoint ?? "", now: time)
  }

  /// A fresh assertion that is a grant itself (RFC 7523, section 2.1): the client speaks for the profile's user, or for
  /// itself where it names none.
  func bearerAssertion(key: Secret, at endpoint: WebURL) async throws(AuthError) -> Secret {
    try await assertions.assertion(
      .init(
        issuer: profile.clientID, subject: profile.username ?? profile.clientID, endpoint: endpoint,
        further: profile.parameters.assertion), key: key, named: profile.assertionKeyName)
  }
}

extension Profile {
  /// What the private key is called in messages.
  var assertionKeyName: String {
    assertion.key.map { AssertionKeyFile($0).name } ?? "the private key of \(name)"
  }
}
