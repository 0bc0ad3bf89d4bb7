import FoundationEssentials

extension AuthorizationServer {
  /// Creates an OAuth 2.0 or OpenID Connect server for a program without a profile file.
  ///
  /// - Parameters:
  ///   - name: the name of the session in messages; the rules for profile names apply.
  ///   - issuer: the issuer whose metadata describes the server (RFC 8414, OpenID Connect Discovery).
  ///   - clientID: the client identifier as registered at the server.
  ///   - clientSecret: the client secret, sent by HTTP Basic (RFC 6749, section 2.3.1); nil for a client without one.
  ///   - scope: the scopes to request; if empty, the server decides.
  ///   - refreshTokenMargin: treat the refresh token as expired this long before its expiry and do not send it; with
  ///     zero the server decides.
  ///   - events: receives the events.
  /// - Throws: ``AuthError/usage(_:)`` if the name is invalid.
  public init(
    _ name: String, issuer: String, clientID: String, clientSecret: Secret? = nil, scope: [String] = [],
    refreshTokenMargin: Duration = .zero, transport: any HTTPTransport, events: @escaping EventHandler = { _ in }
  ) throws(AuthError) {
    guard let profileName = ProfileName(name) else {
      throw .usage("the session's name", why: "invalid name", hint: "use 1 to 64 letters, digits and . _ -")
    }
    var profile = Profile(name: profileName, clientID: clientID)
    profile.issuer = issuer
    profile.scope = scope
    profile.refreshTokenMargin = refreshTokenMargin
    profile.clientAuthentication = clientSecret == nil ? .none : .basic
    let server = TokenPair.Server(issuer: issuer, clientID: clientID, tokenEndpoint: nil, revocationEndpoint: nil)
    var items: [SecretItem: Secret] = [:]
    if let clientSecret {
      items[SecretItem(profile: name, kind: .clientSecret)] = try BoundSecret(clientSecret, to: server).stored()
    }
    self.init(
      profile: profile,
      connection: ServerConnection(
        transport: transport, network: NetworkOptions(), userAgent: "AuthCore", now: { Date() }, events: events),
      secrets: MemorySecretStore(items))
  }

  /// Fetches the server's metadata and returns its grants.
  ///
  /// - Throws: ``AuthError`` if the metadata is unavailable.
  public func login() async throws(AuthError) -> Login {
    let metadata = try await metadata()
    return Login(self, metadata: metadata, clientSecret: try await clientSecret(for: metadata))
  }

  /// Logs in with a user name and a password (RFC 6749, section 4.3).
  ///
  /// - Throws: ``AuthError``, which names the next step.
  public func logIn(username: String, password: Secret) async throws(AuthError) -> TokenPair {
    var pair = try await login().password(username: username, password: password)
    pair.flow = Flow.password.rawValue
    return pair
  }

  /// Logs in with client credentials (RFC 6749, section 4.4). Such a session is refreshed by repeating the request.
  ///
  /// - Throws: ``AuthError``, which names the next step.
  public func logInAsClient() async throws(AuthError) -> TokenPair {
    var pair = try await login().clientCredentials()
    pair.flow = Flow.clientCredentials.rawValue
    return pair
  }
}

extension TokenSession {
  /// Creates a session for a program at an OAuth 2.0 server.
  ///
  /// - Parameters:
  ///   - name: the name of the session in its storage and in messages.
  ///   - storage: where its pair lives.
  ///   - server: refreshes and revokes the pair; its events are passed to the session's events.
  public init(
    _ name: String, storage: SessionStorage, server: AuthorizationServer,
    settings: SessionSettings = SessionSettings()
  ) {
    let server = server.reporting(to: settings.handler)
    self.init(name, storage: storage, refresher: OAuthRefresher(server), revocation: server, settings: settings)
  }
}
