import FoundationEssentials

/// The session of a program at one server. It stores the pair, provides the token, refreshes it once for all callers,
/// and logs in and out.
///
/// It can be copied; all copies are the same session.
public struct TokenSession: Sendable {
  private let name: String
  private let storage: any TokenStorage
  private let revocation: any TokenRevocation
  let settings: SessionSettings
  let manager: TokenManager
  private let notice: LoginNotice

  private static let lockDeadline: Duration = .seconds(60)

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - name: its name in messages.
  ///   - storage: stores its pair.
  ///   - refresher: exchanges a pair for a new one at the server.
  ///   - revocation: revokes a pair at the server.
  public init(
    _ name: String, storage: any TokenStorage, refresher: any TokenRefresher,
    revocation: any TokenRevocation = NoRevocation(), settings: SessionSettings = SessionSettings()
  ) {
    self.name = name
    self.storage = storage
    self.revocation = revocation
    self.settings = settings
    manager = TokenManager(
      session: name, storage: storage, lock: settings.lock, refresher: refresher, revocation: revocation,
      policy: settings.policy, now: settings.now, events: settings.sink)
    notice = LoginNotice(settings.onLoginRequired)
  }

  /// Creates a session from closures.
  ///
  /// - Parameters:
  ///   - refreshTokenMargin: treat the refresh token as expired this long before its expiry and do not send it; with
  ///     zero the server decides.
  ///   - revoke: requests that the server revokes a pair; nil if the server has no revocation.
  ///   - refresh: exchanges a pair for a new one at the server.
  public init(
    _ name: String, storage: any TokenStorage, refreshTokenMargin: Duration = .zero,
    settings: SessionSettings = SessionSettings(), revoke: ClosureRevocation.Revoke? = nil,
    refresh: @escaping ClosureRefresher.Refresh
  ) {
    self.init(
      name, storage: storage,
      refresher: ClosureRefresher(refreshTokenMargin: refreshTokenMargin, now: settings.now, refresh),
      revocation: revoke.map { ClosureRevocation($0) } ?? NoRevocation(), settings: settings)
  }

  /// The state of the session, then all that happens to its tokens; each reading gives a stream of its own.
  ///
  /// The first value is ``AuthEvent/loaded(access:expiresAt:)``, with no `access` if not logged in. If the session is
  /// known to be dead, ``AuthEvent/loginRequired(reason:)`` follows. If the storage can't be read, the first value is
  /// an ``AuthEvent/warning(_:)``.
  public var events: AsyncStream<AuthEvent> {
    let later = settings.events.stream()
    let (stream, watcher) = AsyncStream.makeStream(of: AuthEvent.self, bufferingPolicy: .bufferingNewest(256))
    let forwarding = Task { [storage] in
      for event in await TokenSession.state(in: storage) { watcher.yield(event) }
      for await event in later { watcher.yield(event) }
      watcher.finish()
    }
    watcher.onTermination = { _ in forwarding.cancel() }
    return stream
  }

  private static func state(in storage: any TokenStorage) async -> [AuthEvent] {
    do throws(AuthError) {
      let pair = try await storage.load()
      let loaded = AuthEvent.loaded(access: pair?.fingerprint, expiresAt: pair?.expiresAt)
      guard let failure = pair?.lastError, failure.final else { return [loaded] }
      return [loaded, .loginRequired(reason: "the server has refused the refresh token (\(failure.error))")]
    } catch {
      return [.warning("\(error.explanation.what): \(error.explanation.why)")]
    }
  }

  /// The stored pair as it is, without a refresh; nil if not logged in.
  public func stored() async throws(AuthError) -> TokenPair? { try await storage.load() }

  /// Returns the pair to use now. Refreshes it first if needed, once for all callers.
  ///
  /// - Parameters:
  ///   - rejected: a token that the API has refused.
  ///   - minValidity: how long the token must at least be valid; nil for the policy's `refreshBefore`.
  /// - Throws: ``AuthError`` with what to do next.
  public func token(replacing rejected: Secret? = nil, minValidity: Duration? = nil) async throws(AuthError)
    -> TokenPair
  {
    try await watched { () throws(AuthError) in
      try await manager.token(replacing: rejected, minValidity: minValidity)
    }
  }

  /// Refreshes now, regardless of the remaining validity.
  public func refresh() async throws(AuthError) -> TokenPair {
    try await watched { () throws(AuthError) in try await manager.refresh() }
  }

  /// Stores what a login got; the pair of an older login is revoked as far as the server lets it.
  public func logIn(with pair: TokenPair) async throws(AuthError) {
    let begun = pair.beginning(UUID().uuidString)
    let former = try await locked { held throws(AuthError) in
      // A former pair that can't be read any more is replaced like any other.
      let former: TokenPair?
      do throws(AuthError) { former = try await storage.load() } catch {
        guard case .storage(.damaged, _) = error else { throw error }
        former = nil
      }
      try await storage.save(begun)
      RecentFailure.forget(in: held, telling: settings.sink)
      settings.sink(.saved(access: pair.fingerprint))
      return [former].compactMap { $0 }
    }
    notice.begin()
    for old in former where old.refreshToken != pair.refreshToken && old.accessToken != pair.accessToken {
      do throws(AuthError) {
        if try await revocation.revoke(old) { settings.events.sink(.revoked) }
      } catch {
        settings.sink(.warning("the previous login was not revoked: \(error.explanation.why)"))
      }
    }
  }

  /// Revokes the pair at the server and removes it here, even if the server fails to revoke it.
  ///
  /// - Returns: whether the server has revoked the pair; false if nothing was stored, if `localOnly` is set, or if the
  ///   server has no revocation.
  /// - Throws: ``AuthError/tryLater(_:)`` or ``AuthError/refused(_:)`` if the server did not revoke it: the pair is
  ///   removed here, but the server may still accept it. ``AuthError/storage(_:_:)`` if it was not removed.
  @discardableResult
  public func logOut(localOnly: Bool = false) async throws(AuthError) -> Bool {
    let outcome = try await ended(localOnly: localOnly)
    if case .notRevoked(let error) = outcome { throw error }
    return outcome == .done(revoked: true)
  }

  private func ended(localOnly: Bool) async throws(AuthError) -> ProfileSession.Logout {
    try await locked { held throws(AuthError) in
      guard let pair = try await storage.load() else { return .nothingStored }
      var outcome = ProfileSession.Logout.done(revoked: false)
      if !localOnly {
        do throws(AuthError) {
          outcome = .done(revoked: try await revocation.revoke(pair))
          if outcome == .done(revoked: true) { settings.sink(.revoked) }
        } catch {
          outcome = .notRevoked(error)
        }
      }
      try await storage.clear()
      RecentFailure.forget(in: held, telling: settings.sink)
      settings.sink(.cleared)
      return outcome
    }
  }

  private func watched(_ body: () async throws(AuthError) -> TokenPair) async throws(AuthError) -> TokenPair {
    do throws(AuthError) {
      let pair = try await body()
      notice.isAlive(pair)
      return pair
    } catch {
      if case .loginRequired(let explanation) = error { notice.loginRequired(explanation, try await storage.load()) }
      throw error
    }
  }

  private func locked<Result: Sendable>(_ body: @Sendable (LockHandle) async throws(AuthError) -> Result)
    async throws(AuthError)
    -> Result
  {
    let result = try await settings.lock.withLock(.exclusive, deadline: TokenSession.lockDeadline, body)
    guard let result else { throw .lockTimedOut(name) }
    return result
  }
}
