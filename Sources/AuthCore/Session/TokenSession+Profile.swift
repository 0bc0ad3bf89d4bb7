import FoundationEssentials

extension TokenSession {
  /// Creates the session of a profile.
  ///
  /// - Parameters:
  ///   - server: the server that the profile describes, with the store of its secrets.
  ///   - rescue: keeps refreshed tokens that cannot be stored.
  ///   - runner: decides in which process a refresh runs.
  ///   - cache: reuses the access token without reading the store.
  ///   - requester: the process that changes are attributed to.
  ///   - policy: how long callers wait; when a token is refreshed is the profile's.
  ///   - newSessionID: creates an identifier that distinguishes a new session from all others.
  package init(
    of server: AuthorizationServer, lock: any RefreshLock, rescue: any TokenRescue = NoRescue(),
    runner: any RefreshRunner = InProcessRefresh(), cache: TokenCache? = nil, requester: RefreshingProcess = .current,
    policy: RefreshPolicy = RefreshPolicy(), newSessionID: @escaping @Sendable () -> String = { UUID().uuidString }
  ) {
    let profile = server.profile
    var settings = SessionSettings()
    settings.policy = policy
    settings.policy.refreshBefore = profile.refreshBefore
    settings.header = profile.header
    settings.refusals = RefusalRule(profile)
    // Without a store, processes can share nothing but a cached token, and there is nothing to rescue.
    settings.lock =
      switch profile.store {
      case .keyring: lock
      case .file: StorageLock(lock)
      case .nothing: cache.map { CacheLock(lock, of: $0) } ?? ProcessLock()
      }
    settings.onEvent = server.connection.events
    settings.now = server.connection.now
    settings.newSessionID = newSessionID
    var backend = SessionBackend(of: server, cache: cache, requester: requester)
    if !profile.isOnDemand { backend.rescue = rescue }
    backend.runner = runner
    self.init(backend, settings: settings)
  }
}

extension SessionBackend {
  /// Creates the parts of a profile's session for the type of its server.
  ///
  /// - Parameters:
  ///   - cache: reuses the access token without reading the store; nil for none.
  ///   - requester: the process that changes are attributed to.
  init(of server: AuthorizationServer, cache: TokenCache? = nil, requester: RefreshingProcess = .current) {
    let server = server.profile.isOnDemand ? server.withNewKey() : server
    let (profile, connection) = (server.profile, server.connection)
    let name = profile.name.string
    let tokens = SecretTokenStorage(server.secrets, profile: name, clock: { connection.reading }, process: requester)
    switch (profile.type, profile.custom) {
    case (.basic, _):
      let password = StoredPassword(server.secrets, profile: profile, now: connection.now)
      self.init(name: name, storage: password, refresher: NoRefresher(session: name))
    case (.custom, let custom?):
      self.init(
        name: name, storage: tokens, refresher: CustomRefresher(profile, server: custom, connection: connection),
        revocation: CustomRevocation(profile: profile, server: custom, connection: connection))
    case (.oauth2, _) where profile.isOnDemand:
      var first = TokenPair(repeating: profile.flow.rawValue, at: connection.now())
      first.dpopThumbprint = server.newKey?.thumbprint
      self.init(name: name, storage: OnDemandTokens(first: first, cache: cache), refresher: OAuthRefresher(server))
    case (.oauth2, _), (.custom, nil):
      self.init(name: name, storage: tokens, refresher: OAuthRefresher(server), revocation: server)
    }
    self.server = server
    self.cache = cache
    self.requester = requester
  }
}
