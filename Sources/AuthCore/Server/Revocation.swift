import HTTPTypes

/// The revocation endpoint of an authorization server (RFC 7009).
struct Revocation: Sendable {
  let url: WebURL
  let client: OAuthClient
  let connection: ServerConnection

  /// The pauses before each retry.
  private static let pauses: [Duration] = [.milliseconds(500), .seconds(1)]

  /// Revokes both tokens of a pair, the refresh token first (section 2.1).
  ///
  /// A server may revoke one type of token only (section 2.2.1): the other token is revoked even if one fails.
  ///
  /// - Throws: ``AuthError/tryLater(_:)`` or ``AuthError/refused(_:)``; the tokens may still be valid.
  func revoke(_ pair: TokenPair) async throws(AuthError) {
    let end = Revocation.deadline(of: connection)
    var refusals: [(type: String, why: String)] = []
    let tokens = [(pair.refreshToken, "refresh_token"), (pair.accessToken, "access_token")]
    let present = tokens.compactMap { token, type in token.map { (token: $0, type: type) } }
    for (token, type) in present {
      let why = try await Revocation.retrying(over: connection, until: end) { () throws(AuthError) -> String? in
        try await refusal(of: token, type)
      }
      if let why { refusals.append((type, why)) }
    }
    guard let first = refusals.first else { return }
    guard refusals.count < present.count else { throw .refused(Revocation.failure(first.why)) }
    let name = first.type.replacing(bytes: "_", with: " ")
    connection.events(.warning("the \(name) stays valid until it expires: \(first.why)"))
  }

  /// Returns the time at which attempts to revoke a pair end: after the timeout of one request.
  static func deadline(of connection: ServerConnection) -> ContinuousClock.Instant {
    ContinuousClock().now.advanced(by: connection.network.timeout ?? ServerConnection.standardTimeout)
  }

  /// Sends a revocation request, and retries it after transient failures until the deadline.
  static func retrying<Result>(
    over connection: ServerConnection, until end: ContinuousClock.Instant,
    _ request: () async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result {
    var pauses = Revocation.pauses[...]
    while true {
      do throws(AuthError) {
        return try await request()
      } catch {
        // Revoking twice is harmless.
        guard case .tryLater(let explanation) = error, let pause = pauses.popFirst(),
          ContinuousClock().now.advanced(by: pause) < end
        else { throw error }
        connection.events(.retrying(reason: explanation.why, pause: pause.seconds))
        // If it is cancelled, continuing at once is harmless.
        try? await ContinuousClock().sleep(for: pause)
      }
    }
  }

  /// Revokes a token; a server that does not know the token also returns success (section 2.2).
  ///
  /// - Parameter extra: a field that the server requires.
  /// - Returns: the reason if the server can't revoke tokens of this type; nil if the token is revoked.
  private func refusal(
    of token: Secret, _ type: String, with extra: [(name: String, value: String)] = []
  ) async throws(AuthError) -> String? {
    var form = [(name: "token", value: token.exposed), (name: "token_type_hint", value: type)] + extra
    var fields: HTTPFields = [:]
    try await client.authenticate(&form, &fields, at: url)
    let response: TransferResponse
    do {
      response = try await connection.post(form, to: url, fields: fields)
    } catch {
      guard !error.isUnusable else { throw .refused(Revocation.failure("\(url): \(error)")) }
      guard !error.isUntrusted else { throw .tryLater(error.explanation("revoking the tokens", hint: "")) }
      throw .tryLater(Revocation.failure("\(error)"))
    }
    let error = ErrorResponse(response)
    let why = "\(url) returned \(error.words)"
    switch response.status {
    case 200...299: return nil
    case 401 where client.authentication == .none, 403 where client.authentication == .none && error.error == nil:
      throw .refused(Revocation.failure("\(why): it does not let public clients revoke"))
    case let status where TransientStatus.meansUnavailable(status): throw .tryLater(Revocation.failure(why))
    // Servers of the Python package mcp want the field of public clients, too. An empty secret means none (RFC 6749,
    // section 2.3.1).
    case 400 where client.authentication == .none && extra.isEmpty && error.wantsClientSecret:
      return try await refusal(of: token, type, with: [("client_secret", "")])
    default:
      guard error.error != "unsupported_token_type" else { return why }
      throw .refused(Revocation.failure(why))
    }
  }

  /// Creates the explanation for tokens that may still be valid.
  static func failure(_ why: String) -> AuthError.Explanation {
    .init(
      "revoking the tokens", why: why,
      hint: "they may stay valid at the server until they expire: end the session there if necessary")
  }
}

extension ErrorResponse {
  /// Whether the error is that the request has no `client_secret`.
  fileprivate var wantsClientSecret: Bool {
    error == "invalid_request" && errorDescription?.contains(bytes: "client_secret") == true
  }
}
