import HTTPTypes

/// The response of an authorization endpoint to a request that no browser has sent.
package enum UnattendedResponse: Sendable, Equatable {
  /// A redirect to the redirect URI, which the server therefore accepts (RFC 6749, section 4.1.2.1), with its `error`.
  case redirect(error: String?)
  /// A page, or a redirect to one: that of a login, or of an error.
  case page
  /// An error, with its status.
  case failure(status: Int)
}

extension Login {
  /// The same login with an authorization request that begins no dialogue: with `openid`, the response is then a
  /// redirect without a page (OpenID Connect Core, section 3.1.2.1).
  package var unattended: Login {
    guard profile.scope.contains("openid") else { return self }
    return Login(server.prompting("none"), metadata: metadata, clientSecret: clientSecret)
  }

  /// Sends an authorization request without a browser; nil if there is no response.
  package func unattendedResponse(to request: AuthorizationRequest) async -> UnattendedResponse? {
    // A server that can't be reached has refused nothing.
    guard let response = try? await server.connection.header(of: request.url) else { return nil }
    let location = response.fields[.location] ?? ""
    switch response.status {
    case 300...399 where location.utf8.starts(with: request.redirectURI.utf8):
      let query = (try? WebURL(location))?.query ?? ""
      return .redirect(error: FormEncoding.decode(query).first { $0.name == "error" }?.value)
    case 200...399: return .page
    default: return .failure(status: response.status)
    }
  }
}

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
