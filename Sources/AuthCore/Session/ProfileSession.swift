public import FoundationEssentials

/// The session of one profile: its stored tokens, its server, and what can be done with them.
public struct ProfileSession: Sendable {
  /// The profile.
  public let profile: Profile
  /// Its authorization server.
  public let server: AuthorizationServer
  /// Gives out and renews its token.
  public let manager: TokenManager
  private let secrets: any SecretStore
  private let parts: SessionParts
  private let lock: any RefreshLock
  private let newSessionID: @Sendable () -> String

  /// How long a login or logout waits for a renewal of another process.
  private static let lockDeadline: Duration = .seconds(60)

  /// Puts a session together.
  ///
  /// - Parameters:
  ///   - rescue: keeps what was renewed and can't be stored.
  ///   - runner: says in which process an exchange runs.
  ///   - newSessionID: makes what tells a new session from all others.
  public init(
    _ profile: Profile, connection: ServerConnection, secrets: any SecretStore, lock: any RefreshLock,
    rescue: any TokenRescue = NoRescue(), runner: any ExchangeRunner = ExchangeInProcess(),
    newSessionID: @escaping @Sendable () -> String = { UUID().uuidString }
  ) {
    self.profile = profile
    self.secrets = secrets
    self.lock = lock
    self.newSessionID = newSessionID
    server = AuthorizationServer(profile: profile, connection: connection, secrets: secrets)
    parts = SessionParts(server)
    manager = TokenManager(
      session: profile.name.string, storage: parts.storage, lock: lock, renewal: parts.renewal,
      revocation: parts.revocation, rescue: rescue, runner: runner, policy: .init(refreshBefore: profile.refreshBefore),
      now: connection.now, events: connection.events)
  }

  /// The stored pair as it is, without a renewal; nil where not logged in. What was renewed before and could not
  /// be stored then is stored first.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  public func stored() async throws(AuthError) -> TokenPair? { try await manager.held.load(lock) }

  /// The pair that was renewed and can't be stored; nil where there is none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` where nobody can tell.
  public func unstored() throws(AuthError) -> TokenPair? { try manager.held.pair() }

  /// Where the renewal stands that a stored pair says has begun.
  public enum RenewalState: String, Sendable {
    /// A process is at it.
    case underWay = "under_way"
    /// Whoever began it was killed, or the machine lost its power: its answer was never stored.
    case cutShort = "cut_short"
  }

  /// Where the renewal stands that a pair says has begun; nil where it says nothing.
  ///
  /// - Throws: ``AuthError`` where the lock can't be looked at, or the store can't be read.
  public func renewalState(of pair: TokenPair?) async throws(AuthError) -> RenewalState? {
    guard let began = pair?.renewalBegan else { return nil }
    let isStillThere = try await lock.withLock(.shared, deadline: .zero) { _ throws(AuthError) in
      // It may have come to its end since the pair was read.
      try await parts.storage.load()?.renewalBegan == began
    }
    guard let isStillThere else { return .underWay }
    return isStillThere ? .cutShort : nil
  }

  /// What a request to the API carries, renewed first where needed.
  ///
  /// - Parameter rejected: a token that the API has refused.
  /// - Throws: ``AuthError`` with what to do next.
  public func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    try await credential(of: try await manager.token(replacing: rejected))
  }

  public func rememberRefusal(of token: Secret) async -> Duration? { await manager.rememberRefusal(of: token) }

  private func credential(of pair: TokenPair) async throws(AuthError) -> APICredential {
    var credential = try await server.credential(pair)
    credential.refreshPause = await manager.refreshPause(pair)
    return credential
  }

  /// The same for many requests in a short time: the store is not read again for each of them.
  ///
  /// - Parameter limit: how long at the most what was read is given out again.
  public func reuse(within limit: Duration) -> CredentialReuse {
    CredentialReuse(within: limit, isGood: { [manager] in manager.isGood($0) }) {
      rejected throws(AuthError) in
      let pair = try await manager.token(replacing: rejected)
      return (pair, try await credential(of: pair))
    }
  }

  /// Checks that a stored pair may be used: it belongs to the server of the profile, and is not known to be dead.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)``.
  public func validate(_ pair: TokenPair) throws(AuthError) { try manager.validate(pair) }

  /// Whether the stored pair could be renewed when its access token is no longer good.
  public func canRenew(_ pair: TokenPair) -> Bool { parts.renewal.canRenew(pair) }

  /// Stores what a login got; the refresh token of an older login is revoked as far as the server lets it.
  ///
  /// - Parameters:
  ///   - clientSecret: the client's secret to store with it; nil leaves what is stored.
  ///   - clientKey: the client's private key to store with it; nil leaves what is stored.
  ///   - key: the key to which the tokens are bound, where they are.
  public func begin(
    _ pair: TokenPair, clientSecret: Secret?, clientKey: Secret? = nil, boundTo key: DPoPKey? = nil
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
      SharedFailure.forget(in: held, telling: server.connection.events)
      if key == nil, former?.dpopThumbprint != nil {
        try await secrets.clear(SecretItem(profile: profile.name.string, kind: .dpopKey))
      }
      server.connection.events(.saved(access: pair.fingerprint))
      return Former(pair: former, secrets: companions.former)
    }
    // A server may answer a new login with the tokens of the old one: to revoke those would end the new session.
    guard let old = former.pair, old.refreshToken != nil, old.refreshToken != pair.refreshToken,
      old.accessToken != pair.accessToken
    else { return }
    do throws(AuthError) {
      // With the secret of the former login, which the new one may have replaced.
      let former = AuthorizationServer(
        profile: profile, connection: server.connection, secrets: MemorySecretStore(former.secrets))
      if try await SessionParts(former).revocation.revoke(old) { server.connection.events(.revoked) }
    } catch {
      server.connection.events(.warning("the previous login was not revoked: \(error.explanation.why)"))
    }
  }

  private struct Former: Sendable {
    let pair: TokenPair?
    let secrets: [SecretItem: Secret]
  }

  /// How a logout ended.
  public enum Logout: Sendable, Equatable {
    /// There was nothing to log out of.
    case nothingStored
    /// The tokens are gone; `revoked` is false where the server was not asked or has no revocation endpoint.
    case done(revoked: Bool)
    /// The tokens are gone here, but the server may still take them.
    case notRevoked(AuthError)
  }

  /// Revokes the tokens at the server, then removes all that is stored of the profile, whatever the server said.
  public func end(localOnly: Bool) async throws(AuthError) -> Logout {
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
      SharedFailure.forget(in: held, telling: server.connection.events)
      server.connection.events(.cleared)
      return outcome
    }
  }

  private func locked<Result: Sendable>(
    _ body: @Sendable (HeldLock) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result {
    let result = try await lock.withLock(.exclusive, deadline: ProfileSession.lockDeadline, body)
    guard let result else { throw .lockTimedOut(profile.name.string) }
    return result
  }
}
