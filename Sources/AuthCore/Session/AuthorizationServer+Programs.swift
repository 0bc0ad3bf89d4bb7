import FoundationEssentials

extension AuthorizationServer {
  /// Describes a server of OAuth 2.0 or OpenID Connect for a program that has no profile file.
  ///
  /// - Parameters:
  ///   - name: names the session in messages; as a profile's name.
  ///   - issuer: where the server's metadata is found (RFC 8414, OpenID Connect Discovery).
  ///   - clientID: as registered at the server.
  ///   - clientSecret: of a client that has one; it is sent by HTTP Basic (RFC 6749, section 2.3.1).
  ///   - scope: what to ask for; empty leaves it to the server.
  ///   - refreshTokenMargin: treat the refresh token as expired this long before its expiry and do not send it; with
  ///     zero the server decides.
  ///   - events: who watches.
  /// - Throws: ``AuthError/usage(_:)`` where the name is none.
  public init(
    _ name: String, issuer: String, clientID: String, clientSecret: Secret? = nil, scope: [String] = [],
    refreshTokenMargin: Duration = .zero, transport: any HTTPTransport, events: @escaping EventSink = { _ in }
  ) throws(AuthError) {
    guard let profileName = ProfileName(name) else {
      throw .usage(
        .init("the session's name", why: "it is not usable", hint: "take letters, digits and . _ - for it, 64 at most"))
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

  /// The grants of this server, with its metadata.
  ///
  /// - Throws: ``AuthError`` if the metadata is unavailable.
  public func login() async throws(AuthError) -> Login {
    let metadata = try await metadata()
    return Login(self, metadata: metadata, clientSecret: try await clientSecret(for: metadata))
  }

  /// Logs a user in by name and password (RFC 6749, section 4.3).
  ///
  /// - Throws: ``AuthError`` with what to do next.
  public func logIn(username: String, password: Secret) async throws(AuthError) -> TokenPair {
    var pair = try await login().password(username: username, password: password)
    pair.flow = Flow.password.rawValue
    return pair
  }

  /// Logs in with client credentials (RFC 6749, section 4.4). Such a session is refreshed by repeating the request.
  ///
  /// - Throws: ``AuthError`` with what to do next.
  public func logInAsClient() async throws(AuthError) -> TokenPair {
    var pair = try await login().clientCredentials()
    pair.flow = Flow.clientCredentials.rawValue
    return pair
  }
}

extension TokenSession {
  /// Creates the session of a program at an OAuth 2.0 server.
  ///
  /// - Parameters:
  ///   - name: names it in messages.
  ///   - storage: keeps its pair.
  ///   - server: refreshes and revokes the pair; what happens there meanwhile is among the session's events.
  public init(
    _ name: String, storage: any TokenStorage, server: AuthorizationServer,
    settings: SessionSettings = SessionSettings()
  ) {
    let server = server.telling(settings.sink)
    self.init(name, storage: storage, refresher: OAuthRefresher(server), revocation: server, settings: settings)
  }
}
