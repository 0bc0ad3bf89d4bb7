import FoundationEssentials

/// The parts of a session: storage, refresher, revocation, lock, policy, clock and event handler.
package struct SessionBackend: Sendable {
  /// The session's name in messages: the profile's name.
  let name: String
  /// The storage of the pair.
  let storage: any TokenStorage
  /// Exchanges the pair for a new one.
  let refresher: any TokenRefresher
  /// Revokes a pair, also if it was obtained for a session that has ended in the meantime.
  var revocation: any TokenRevocation = NoRevocation()
  /// The server whose secrets are stored beside the pair; nil if only the pair is stored.
  var server: AuthorizationServer?
  /// Allows one process at a time to refresh.
  var lock: any RefreshLock = ProcessLock()
  /// Keeps refreshed tokens that cannot be stored.
  var rescue: any TokenRescue = NoRescue()
  /// Reuses the access token without reading the storage; nil if the session has no cache.
  var cache: TokenCache?
  /// Decides in which process a refresh runs.
  var runner: any RefreshRunner = InProcessRefresh()
  /// The rules for when to refresh, and how long to wait.
  var policy = RefreshPolicy()
  /// Returns the current time.
  var now: @Sendable () -> Date = { Date() }
  /// The process that changes are attributed to.
  var requester = RefreshingProcess.current
  /// Receives every event.
  var events: EventHandler = { _ in }

  /// Returns the seconds until a pair's token is to be refreshed, negative after that time; nil if unknown.
  func spare(_ pair: TokenPair) -> Double? { pair.remaining(at: now()).map { $0 - standardMargin(pair) } }

  /// Returns the policy's `refreshBefore`, or a quarter of the lifetime for a short-lived token. Otherwise a token with
  /// a lifetime of at most `refreshBefore` would be refreshed at each use.
  func standardMargin(_ pair: TokenPair) -> Double {
    let life = pair.expiresAt?.timeIntervalSince(pair.issuedAt) ?? .infinity
    let wanted = policy.refreshBefore.seconds
    return life > wanted ? wanted : max(0, life / 4)
  }

  /// Returns the event that a pair from another process is used.
  func adoption(of pair: TokenPair) -> AuthEvent {
    // The time of the request by the local clock, as far as it is known.
    let age = now().timeIntervalSince(pair.clock?.reading.time ?? pair.issuedAt)
    return .adopted(access: pair.fingerprint, by: pair.refreshedBy, age: age)
  }
}

extension SessionBackend {
  /// Creates the parts of a session whose storage brings its lock.
  init(name: String, storage: SessionStorage, refresher: any TokenRefresher, revocation: any TokenRevocation) {
    let (tokens, lock) = storage.opened(name)
    self.init(name: name, storage: tokens, refresher: refresher, revocation: revocation, lock: lock)
  }
}
