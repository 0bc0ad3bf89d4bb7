import FoundationEssentials

/// The session of a program at one server: keeps the pair, gives out the token, renews it once for all, and ends it.
///
/// It can be copied; all copies are the same session.
public struct TokenSession: CredentialSource {
  private let name: String
  private let storage: any TokenStorage
  private let revocation: any TokenRevocation
  private let settings: SessionSettings
  private let manager: TokenManager
  private let notice: LoginNotice

  private static let lockDeadline: Duration = .seconds(60)

  /// Puts a session together.
  ///
  /// - Parameters:
  ///   - name: names it in messages.
  ///   - storage: keeps its pair.
  ///   - renewal: makes a new pair of an old one.
  ///   - revocation: ends a pair's life at the server.
  public init(
    _ name: String, storage: any TokenStorage, renewal: any TokenRenewal,
    revocation: any TokenRevocation = NoRevocation(), settings: SessionSettings = SessionSettings()
  ) {
    self.name = name
    self.storage = storage
    self.revocation = revocation
    self.settings = settings
    manager = TokenManager(
      session: name, storage: storage, lock: settings.lock, renewal: renewal, revocation: revocation,
      policy: settings.policy, now: settings.now, events: settings.sink)
    notice = LoginNotice(settings.onLoginRequired)
  }

  /// Puts a session together from closures.
  ///
  /// - Parameters:
  ///   - refreshTokenMargin: treat the refresh token as expired this long before its expiry and do not send it; with
  ///     zero the server decides.
  ///   - revoke: asks the server to end a pair's life; nil where there is nobody to ask.
  ///   - renew: makes a new pair of an old one.
  public init(
    _ name: String, storage: any TokenStorage, refreshTokenMargin: Duration = .zero,
    settings: SessionSettings = SessionSettings(), revoke: ClosureRevocation.Revoke? = nil,
    renew: @escaping ClosureRenewal.Renew
  ) {
    self.init(
      name, storage: storage,
      renewal: ClosureRenewal(refreshTokenMargin: refreshTokenMargin, now: settings.now, renew),
      revocation: revoke.map { ClosureRevocation($0) } ?? NoRevocation(), settings: settings)
  }

  /// Puts the token on requests, and renews it where the API refuses it.
  public var interceptor: TokenInterceptor {
    TokenInterceptor(self, header: settings.header, refreshOn: settings.refreshOn, events: settings.sink)
  }

  /// The state of the session, then all that happens to its tokens; each reading gives a stream of its own.
  ///
  /// The first value is ``AuthEvent/loaded(access:expiresAt:)``, with no `access` if not logged in; of a session that
  /// is known to be dead, ``AuthEvent/loginRequired(reason:)`` follows. If the storage can't be read, the first value is
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

  /// A client whose requests carry the token.
  public func client(base: WebURL, transport: any HTTPTransport, options: APIOptions = APIOptions()) -> APIClient {
    APIClient(base: base, transport: transport, interceptor: interceptor, options: options)
  }

  /// The stored pair as it is, without a renewal; nil where not logged in.
  public func stored() async throws(AuthError) -> TokenPair? { try await storage.load() }

  /// The pair to use now, renewed first where needed: once, however many ask.
  ///
  /// - Parameters:
  ///   - rejected: a token that the API has refused.
  ///   - minValidity: how long the token must be valid at the least; nil for the policy's `refreshBefore`.
  /// - Throws: ``AuthError`` with what to do next.
  public func token(replacing rejected: Secret? = nil, minValidity: Duration? = nil) async throws(AuthError)
    -> TokenPair
  {
    try await watched { () throws(AuthError) in
      try await manager.token(replacing: rejected, minValidity: minValidity)
    }
  }

  /// Renews now, however long the token is still valid.
  public func renew() async throws(AuthError) -> TokenPair {
    try await watched { () throws(AuthError) in try await manager.renew() }
  }

  public func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    let pair = try await token(replacing: rejected)
    var credential = APICredential(pair.accessToken)
    credential.refreshPause = await manager.refreshPause(pair)
    return credential
  }

  public func rememberRefusal(of token: Secret) async -> Duration? { await manager.rememberRefusal(of: token) }

  /// Stores what a login got; the pair of an older login is revoked as far as the server lets it.
  public func begin(_ pair: TokenPair) async throws(AuthError) {
    let begun = pair.beginning(UUID().uuidString)
    let former = try await locked { held throws(AuthError) in
      // A former pair that can't be read any more is replaced like any other.
      let former: TokenPair?
      do throws(AuthError) { former = try await storage.load() } catch {
        guard case .storage(.damaged, _) = error else { throw error }
        former = nil
      }
      try await storage.save(begun)
      SharedFailure.forget(in: held, telling: settings.sink)
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

  /// Revokes the pair at the server and removes it here, whatever the server said.
  ///
  /// - Returns: whether the server has revoked the pair; false if nothing was stored, if `localOnly` is set, or if there
  ///   is nobody to ask.
  /// - Throws: ``AuthError/tryLater(_:)`` or ``AuthError/refused(_:)`` if the server did not revoke it: the pair is
  ///   removed here, but the server may still accept it. ``AuthError/storage(_:_:)`` if it was not removed.
  @discardableResult
  public func end(localOnly: Bool = false) async throws(AuthError) -> Bool {
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
      SharedFailure.forget(in: held, telling: settings.sink)
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

  private func locked<Result: Sendable>(_ body: @Sendable (HeldLock) async throws(AuthError) -> Result)
    async throws(AuthError)
    -> Result
  {
    let result = try await settings.lock.withLock(.exclusive, deadline: TokenSession.lockDeadline, body)
    guard let result else { throw .lockTimedOut(name) }
    return result
  }
}
