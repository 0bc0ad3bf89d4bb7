extension TokenSession: CredentialSource {
  /// The interceptor that adds the token to requests, and refreshes it if the API refuses it.
  public var interceptor: TokenInterceptor {
    TokenInterceptor(self, header: settings.header, refusals: settings.refusals, events: backend.events)
  }

  /// Creates a client whose requests carry the token.
  public func client(base: WebURL, transport: any HTTPTransport, options: APIOptions = APIOptions()) -> APIClient {
    APIClient(base: base, transport: transport, interceptor: interceptor, options: options)
  }
}

// MARK: - A server with requests of its own

extension TokenSession {
  /// Creates a session whose server refreshes tokens by a request of its own.
  ///
  /// - Parameters:
  ///   - name: the name of the session in its storage and in messages.
  ///   - storage: where its pair lives.
  ///   - server: sends the requests of this session for tokens, each once, and follows no redirect; give it no
  ///     interceptor of the session. A pair that another server has issued is not sent to it.
  ///   - refreshTokenMargin: treat the refresh token as expired this long before its expiry and do not send it; with
  ///     zero the server decides.
  ///   - refresh: returns the request that exchanges a refresh token. Its parameter is the token itself: it goes into
  ///     the request, and nowhere else.
  ///   - reply: the response to it. ``RefreshFailure/init(thrown:)`` defines what an error means for the session, after
  ///     ``SessionSettings/loginRequiredCodes``.
  ///   - revoke: returns the request that revokes a refresh token, its parameter; nil if the server has no revocation.
  ///     The pair is removed locally even if it fails.
  public init<Reply: TokenReply>(
    _ name: String, storage: SessionStorage, server: APIClient, refreshTokenMargin: Duration = .zero,
    settings: SessionSettings = SessionSettings(),
    refresh: @escaping @Sendable (_ refreshToken: String) throws -> APIRequest, as reply: Reply.Type,
    revoke: (@Sendable (_ refreshToken: String) throws -> APIRequest)? = nil
  ) {
    let (codes, origin) = (settings.refusals.codes, server.base.origin.string)
    let refresher = ClosureRefresher(refreshTokenMargin: refreshTokenMargin, origin: origin, now: settings.now) {
      pair in
      let request: APIRequest
      do { request = try refresh(pair.refreshToken?.exposed ?? "") } catch {
        throw RefreshFailure.other(AuthError(thrown: error, while: "refreshing the token"))
      }
      let sentAt = settings.now()
      do {
        let response = try await server.tokens(by: request, codes) as (reply: Reply, response: TokenResponse)
        return pair.refreshed(by: response.response, sentAt: sentAt)
      } catch {
        throw RefreshFailure(thrown: error, codes)
      }
    }
    let revocation = revoke.map { revoke in
      ClosureRevocation(origin: origin) { pair in
        guard let token = pair.refreshToken else { return false }
        try await server.accepted(try revoke(token.exposed), codes)
        return true
      }
    }
    self.init(
      SessionBackend(
        name: name, storage: storage, refresher: refresher, revocation: revocation ?? NoRevocation()),
      settings: settings, server: server)
  }

  /// Logs in by a request to the session's server, and stores the pair of its response. Nothing is sent if the storage
  /// can't be read; a damaged pair is replaced.
  ///
  /// - Returns: the response.
  /// - Throws: the errors of ``APIClient/send(_:as:)`` and of ``logIn(with:)``; ``AuthError/usage(_:)`` if the session
  ///   was created without a server.
  @discardableResult
  public func logIn<Reply: TokenReply>(_ request: APIRequest, as type: Reply.Type = Reply.self) async throws -> Reply {
    guard let server else {
      throw AuthError.usage("logging in", why: "the session has no server", hint: "create it with one")
    }
    do throws(AuthError) { _ = try await stored() } catch {
      guard case .storage(.damaged, _) = error else { throw error }
    }
    let sentAt = settings.now()
    let tokens: (reply: Reply, response: TokenResponse)
    do {
      tokens = try await server.tokens(by: request, settings.refusals.codes)
    } catch {
      throw server.mapped(error)
    }
    var pair = TokenPair(tokens.response, sentAt: sentAt)
    pair.server = TokenPair.Server(issuer: nil, clientID: "", tokenEndpoint: nil, revocationEndpoint: nil)
    pair.server?.origins = [server.base.origin.string]
    try await logIn(with: pair)
    return tokens.reply
  }
}
