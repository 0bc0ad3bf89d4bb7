import HTTPTypes

/// The revocation endpoint of an authorization server (RFC 7009).
struct Revocation: Sendable {
  let url: WebURL
  let client: OAuthClient
  let connection: ServerConnection

  /// Revokes a token; a server that does not know it answers with success too (section 2.2).
  ///
  /// - Throws: ``AuthError/tryLater(_:)`` or ``AuthError/refused(_:)``: the token may still be good.
  func revoke(_ token: Secret, hint: String) async throws(AuthError) {
    var form = [(name: "token", value: token.exposed), (name: "token_type_hint", value: hint)]
    var fields: HTTPFields = [:]
    try await client.authenticate(&form, &fields, at: url)
    let answer: HTTPAnswer
    do {
      answer = try await connection.post(form, to: url, fields: fields)
    } catch {
      guard !error.isNonsense else { throw .refused(Revocation.failure("\(url): \(error)")) }
      throw .tryLater(Revocation.failure("\(error)"))
    }
    switch answer.status {
    case 200...299: return
    case 401 where client.authentication == .none:
      let words = ErrorResponse(answer).words
      throw .refused(
        Revocation.failure("\(url) answers \(words): it lets no public client revoke, and has not revoked"))
    case let status where TransientStatus.meansUnavailable(status):
      throw .tryLater(Revocation.failure("\(url) answers \(ErrorResponse(answer).words)"))
    default: throw .refused(Revocation.failure("\(url) answers \(ErrorResponse(answer).words)"))
    }
  }

  /// What to tell of tokens that may still be good.
  static func failure(_ why: String) -> AuthError.Explanation {
    .init(
      "revoking the tokens", why: why,
      hint: "they may stay valid at the server until they expire: end the session there if that matters")
  }
}

extension AuthorizationServer {
  /// Revokes both tokens of a pair, the refresh token first, at the server that issued them.
  ///
  /// - Returns: false where the server has no revocation endpoint.
  /// - Throws: ``AuthError``: the tokens may still be good.
  public func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool {
    guard let url = try await revocationEndpoint(pair) else { return false }
    let revocation = Revocation(url: url, client: try await client(of: pair), connection: connection)
    if let refreshToken = pair.refreshToken { try await revocation.revoke(refreshToken, hint: "refresh_token") }
    try await revocation.revoke(pair.accessToken, hint: "access_token")
    connection.events(.revoked)
    return true
  }

  private func revocationEndpoint(_ pair: TokenPair) async throws(AuthError) -> WebURL? {
    // What issued the pair is asked, even where the profile names another server by now.
    if let server = pair.server, !isOurs(server) { return server.revocationEndpoint.flatMap { try? WebURL($0) } }
    if let stated = profile.endpoints.revocation { return stated }
    if let server = pair.server, server.tokenEndpoint != nil {
      return server.revocationEndpoint.flatMap { try? WebURL($0) }
    }
    return try await metadata()?.revocationEndpoint
  }

  /// The client to which a pair was issued; the secret that is stored is for the profile's own server and client only.
  private func client(of pair: TokenPair) async throws(AuthError) -> OAuthClient {
    clock.learn(from: pair.localClock)
    guard let server = pair.server, !isOurs(server) else { return client(try await clientSecret()) }
    return OAuthClient(clientID: server.clientID, authentication: .none, basicEncoding: .percent, secret: nil)
  }

  private func isOurs(_ server: TokenPair.Server) -> Bool {
    server.issuer == profile.issuer && server.clientID == profile.clientID
  }
}
