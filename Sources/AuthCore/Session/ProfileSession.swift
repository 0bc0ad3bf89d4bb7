import FoundationEssentials

/// The session of one profile: its stored tokens, its server, and what can be done with them.
package struct ProfileSession: Sendable {
  /// The profile.
  package let profile: Profile
  /// Its authorization server.
  package let server: AuthorizationServer
  /// Provides and refreshes its token.
  package let manager: TokenManager
  private let secrets: any SecretStore
  private let parts: SessionBackend
  private let lock: any RefreshLock
  private let newSessionID: @Sendable () -> String

  /// How long a login or logout waits for a refresh by another process.
  private static let lockDeadline: Duration = .seconds(60)

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - rescue: keeps refreshed tokens that cannot be stored.
  ///   - runner: decides in which process a refresh runs.
  ///   - newSessionID: creates an identifier that distinguishes a new session from all others.
  package init(
    _ profile: Profile, connection: ServerConnection, secrets: any SecretStore, lock: any RefreshLock,
    rescue: any TokenRescue = NoRescue(), runner: any RefreshRunner = InProcessRefresh(),
    newSessionID: @escaping @Sendable () -> String = { UUID().uuidString }
  ) {
    self.profile = profile
    self.secrets = secrets
    self.lock = lock
    self.newSessionID = newSessionID
    server = AuthorizationServer(profile: profile, connection: connection, secrets: secrets)
    parts = SessionBackend(server)
    manager = TokenManager(
      session: profile.name.string, storage: parts.storage, lock: lock, refresher: parts.refresher,
      revocation: parts.revocation, rescue: rescue, runner: runner, policy: .init(refreshBefore: profile.refreshBefore),
      now: connection.now, events: connection.events)
  }

  /// The stored pair as it is, without a refresh; nil if not logged in. Refreshed tokens that could not be stored
  /// before are stored first.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  package func stored() async throws(AuthError) -> TokenPair? { try await manager.held.load(lock) }

  /// The refreshed pair that cannot be stored; nil if there is none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` if this cannot be determined.
  package func unstored() throws(AuthError) -> TokenPair? { try manager.held.pair() }

  /// The state of a refresh that has begun according to the stored pair.
  package enum RefreshState: String, Sendable {
    /// A process is at it.
    case underWay = "under_way"
    /// The process that began it was killed, or the machine lost power: the response was never stored.
    case cutShort = "cut_short"
  }

  /// Returns the state of a refresh that has begun according to a pair; nil if the pair records none.
  ///
  /// - Throws: ``AuthError`` if the lock cannot be checked or the store cannot be read.
  package func refreshState(of pair: TokenPair?) async throws(AuthError) -> RefreshState? {
    guard let began = pair?.refreshBegan else { return nil }
    let isStillThere = try await lock.withLock(.shared, deadline: .zero) { _ throws(AuthError) in
      // It may have come to its end since the pair was read.
      try await parts.storage.load()?.refreshBegan == began
    }
    guard let isStillThere else { return .underWay }
    return isStillThere ? .cutShort : nil
  }

  /// The credential for a request to the API; its token is refreshed first if needed.
  ///
  /// - Parameter rejected: a token that the API has refused.
  /// - Throws: ``AuthError`` with what to do next.
  package func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    try await credential(of: try await manager.token(replacing: rejected))
  }

  package func rememberRefusal(of token: Secret) async -> Duration? { await manager.rememberRefusal(of: token) }

  private func credential(of pair: TokenPair) async throws(AuthError) -> APICredential {
    var credential = try await server.credential(pair)
    credential.refreshPause = await manager.refreshPause(pair)
    return credential
  }

  /// The same for many requests in a short time: the store is not read again for each of them.
  ///
  /// - Parameter limit: how long at the most what was read is given out again.
  package func reuse(within limit: Duration) -> CredentialCache {
    CredentialCache(within: limit, isGood: { [manager] in manager.isGood($0) }) {
      rejected throws(AuthError) in
      let pair = try await manager.token(replacing: rejected)
      return (pair, try await credential(of: pair))
    }
  }

  /// Checks that a stored pair may be used: it belongs to the server of the profile, and is not known to be dead.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)``.
  package func validate(_ pair: TokenPair) throws(AuthError) { try manager.validate(pair) }

  /// Whether the stored pair can be refreshed after its access token has expired.
  package func canRefresh(_ pair: TokenPair) -> Bool { parts.refresher.canRefresh(pair) }

  /// Stores what a login got; the refresh token of an older login is revoked as far as the server lets it.
  ///
  /// - Parameters:
  ///   - clientSecret: the client's secret to store with it; nil leaves what is stored.
  ///   - clientKey: the client's private key to store with it; nil leaves what is stored.
  ///   - key: the key to which the tokens are bound, where they are.
  package func logIn(
    with pair: TokenPair, clientSecret: Secret?, clientKey: Secret? = nil, boundTo key: DPoPKey? = nil
  ) async throws(AuthError) {
    let begun = pair.beginning(newSessionID())
    let former = try await locked { held throws(AuthError) in
      // A former pair that can't be read any more is replaced like any other.
      let former: TokenPair?
      do throws(AuthError) {
        try await manager.held.putBack()
        former = try await parts.storage.load()
      } catch {
        guard case .storage(.damaged, _) = error else { throw error }
        former = nil
      }
      let companions = try await Companions(server, secret: clientSecret, key: clientKey, after: former, before: begun)
      for (item, secret) in companions.saved { try await secrets.save(secret, as: item) }
      // Before the pair: that one is worth nothing without its key.
      if let key { try await secrets.save(key.stored(), as: SecretItem(profile: profile.name.string, kind: .dpopKey)) }
      try await parts.storage.save(begun)
      for item in companions.removed { try await secrets.clear(item) }
      try manager.held.drop()
      RecentFailure.forget(in: held, telling: server.connection.events)
      if key == nil, former?.dpopThumbprint != nil {
        try await secrets.clear(SecretItem(profile: profile.name.string, kind: .dpopKey))
      }
      server.connection.events(.saved(access: pair.fingerprint))
      return Former(pair: former, secrets: companions.former)
    }
    // A server may respond to a new login with the tokens of the old one: revoking those would end the new session.
    guard let old = former.pair, old.refreshToken != nil, old.refreshToken != pair.refreshToken,
      old.accessToken != pair.accessToken
    else { return }
    do throws(AuthError) {
      // With the secret of the former login, which the new one may have replaced.
      let former = AuthorizationServer(
        profile: profile, connection: server.connection, secrets: MemorySecretStore(former.secrets))
      if try await SessionBackend(former).revocation.revoke(old) { server.connection.events(.revoked) }
    } catch {
      server.connection.events(.warning("the previous login was not revoked: \(error.explanation.why)"))
    }
  }

  private struct Former: Sendable {
    let pair: TokenPair?
    let secrets: [SecretItem: Secret]
  }

  /// How a logout ended.
  package enum Logout: Sendable, Equatable {
    /// There was nothing to log out of.
    case nothingStored
    /// The tokens are gone; `revoked` is false where the server was not asked or has no revocation endpoint.
    case done(revoked: Bool)
    /// The tokens are gone here, but the server may still take them.
    case notRevoked(AuthError)
  }

  /// Revokes the tokens at the server, then removes all that is stored of the profile, whatever the server said.
  package func logOut(localOnly: Bool) async throws(AuthError) -> Logout {
    try await locked { held throws(AuthError) in
      let pair: TokenPair?
      var outcome = Logout.done(revoked: false)
      do throws(AuthError) {
        let waiting = try manager.held.pair()
        try await manager.held.putBack()
        // What waited for an item that somebody has removed meanwhile is still good at the server.
        pair = try await parts.storage.load() ?? waiting
      } catch {
        guard case .storage(.damaged, _) = error else { throw error }
        pair = nil
        outcome = .notRevoked(error)
      }
      if let pair, !localOnly {
        do throws(AuthError) {
          outcome = .done(revoked: try await parts.revocation.revoke(pair))
          if outcome == .done(revoked: true) { server.connection.events(.revoked) }
        } catch {
          outcome = .notRevoked(error)
        }
      }
      if pair == nil, outcome == .done(revoked: false) { outcome = .nothingStored }
      for kind in SecretItem.Kind.allCases {
        try await secrets.clear(SecretItem(profile: profile.name.string, kind: kind))
      }
      try manager.held.drop()
      RecentFailure.forget(in: held, telling: server.connection.events)
      server.connection.events(.cleared)
      return outcome
    }
  }

  private func locked<Result: Sendable>(
    _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result {
    let result = try await lock.withLock(.exclusive, deadline: ProfileSession.lockDeadline, body)
    guard let result else { throw .lockTimedOut(profile.name.string) }
    return result
  }
}
