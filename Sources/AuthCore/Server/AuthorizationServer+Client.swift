/// The check of the client by a request that changes nothing.
extension AuthorizationServer {
  /// What the token endpoint's response to a made-up code says about the client.
  package enum ClientVerdict: Sendable, Equatable {
    /// The server has refused the code only: it knows the client.
    case known
    /// The server does not know the client, or refuses its authentication; its words, and what to check.
    case unknown(words: String, hint: String)
    /// The server does not allow the client this grant, or refuses its secret; its words, and what to check.
    case unauthorized(words: String, hint: String)
    /// The server has refused the request before the code or the client; its words.
    case unclear(words: String)
    /// The response is not one of a token endpoint; the reason.
    case unusable(reason: String)
    /// The server is unavailable; the reason.
    case unavailable(reason: String)
  }

  /// Requests a token with a made-up code: a server that knows the client refuses the code only (RFC 6749,
  /// section 5.2).
  ///
  /// - Parameters:
  ///   - pair: the stored pair; nil if there is none.
  ///   - random: a text that is not an authorization code.
  /// - Returns: nil if there is no token endpoint.
  /// - Throws: ``AuthError`` if the client's secret is missing or can't be read, or the request can't be signed.
  package func clientVerdict(
    _ metadata: ServerMetadata?, of pair: TokenPair?, random: String
  ) async throws(AuthError) -> ClientVerdict? {
    guard let url = profile.endpoints.token ?? metadata?.tokenEndpoint else { return nil }
    let endpoint = tokenEndpoint(at: url, secret: try await clientSecret(at: url, of: pair?.server))
    let hint = endpoint.client.hint
    switch await failure(of: endpoint, madeUp: random) {
    case .invalidGrant(let response)?, .refused(let response)?:
      if response.error == "unauthorized_client" { return .unauthorized(words: response.words, hint: hint) }
      if response.isUnknownClient || response.isInvalidClient { return .unknown(words: response.words, hint: hint) }
      return response.error != nil && response.isInvalidGrant ? .known : .unclear(words: response.words)
    case .unavailable(let failure)?: return .unavailable(reason: failure.reason)
    case .malformed(let reason)?, .contended(let reason)?: return .unusable(reason: reason)
    case .local(let error)?: throw error
    case nil: return .unusable(reason: "\(url) issued tokens for a code that does not exist")
    }
  }

  /// Requests a token with a made-up code; nil if the server issues one.
  func failure(of endpoint: TokenEndpoint, madeUp random: String) async -> TokenEndpoint.Failure? {
    let redirect = profile.redirectURI.first.map { $0.string(port: $0.port ?? 0) } ?? ""
    do throws(TokenEndpoint.Failure) {
      _ = try await endpoint.request([
        ("grant_type", "authorization_code"), ("code", random), ("redirect_uri", redirect), ("code_verifier", random),
      ])
      return nil
    } catch {
      return error
    }
  }
}
