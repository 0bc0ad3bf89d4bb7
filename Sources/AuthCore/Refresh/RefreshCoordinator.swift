import FoundationEssentials

/// Coordinates a refresh between all processes of a user.
struct RefreshCoordinator: Sendable {
  private let backend: SessionBackend
  private let tokens: RescuedTokens
  private let exchange: TokenRefresh
  private let rejected: Secret?

  /// Creates the coordinator of one refresh.
  ///
  /// - Parameter rejected: the access token that the API has refused; nil if that is not the reason to refresh.
  init(_ manager: TokenManager, rejected: Secret?) {
    self.rejected = rejected
    backend = manager.backend
    tokens = manager.held
    exchange = manager.exchange
  }

  /// Refreshes `seen`, or adopts the pair that another process has refreshed.
  ///
  /// A caller that does not get the lock at once waits, together with all others, for its release and reads the result.
  /// In nearly every case it is then done: a hundred waiters are served at once and not one by one. They also share the
  /// failure of the process that they waited for. A caller that finds neither waits for the exclusive lock: if all
  /// waiters kept reading together, none of them would ever get it.
  func refreshed(_ seen: TokenPair, because reason: String) async throws(AuthError) -> TokenPair {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: backend.policy.lockDeadline)
    let begin = BootTime.now
    let mine = try await alone(seen, since: begin, because: reason, deadline: .zero)
    if let mine { return mine }
    backend.events(.waiting)
    let theirs = try await backend.lock.withLock(.shared, deadline: backend.policy.lockDeadline) {
      held throws(AuthError) in
      try shareFailure(since: begin, leftIn: held)
      return Settled(pair: try settled(try await tokens.stored(), seen))
    }
    guard let theirs else { throw .lockTimedOut(backend.name) }
    if let pair = theirs.pair { return pair }
    let left = max(.zero, clock.now.duration(to: end))
    guard let pair = try await alone(seen, since: begin, because: reason, deadline: left) else {
      throw .lockTimedOut(backend.name)
    }
    return pair
  }

  private func alone(
    _ seen: TokenPair, since begin: BootTime?, because reason: String, deadline: Duration
  ) async throws(AuthError) -> TokenPair? {
    try await backend.lock.withLock(.exclusive, deadline: deadline) { held throws(AuthError) in
      try await exchanged(seen, since: begin, because: reason, holding: held)
    }
  }

  private struct Settled: Sendable {
    let pair: TokenPair?
  }

  private func exchanged(
    _ seen: TokenPair, since begin: BootTime?, because reason: String, holding held: LockHandle
  ) async throws(AuthError) -> TokenPair {
    do throws(AuthError) { try shareFailure(since: begin, leftIn: held) } catch {
      // The refresh that failed may have had another reason.
      if rejected != nil { held.eraseGeneration(reportingTo: backend.events) }
      throw error
    }
    try await tokens.putBack(holding: held)
    let current = try await tokens.stored()
    if let settled = try settled(current, seen) { return settled }
    guard let current else { throw .loggedOut(backend.name) }
    backend.events(.refreshing(because: reason))
    var exchange = exchange
    exchange.isAccessTokenRefused = current.accessToken == rejected
    return try await backend.runner.run(exchange, of: current, holding: held)
  }

  /// Throws the error of the last lock holder if the server has just failed. Does not read the store, which many other
  /// processes may be reading at the same time: any change of the stored pair removes the recorded failure.
  private func shareFailure(since begin: BootTime?, leftIn held: LockHandle) throws(AuthError) {
    if let error = RecentFailure(leftIn: held)?.shared(since: begin) { throw error }
  }

  /// Returns the pair that the last lock holder has stored; nil if the server must be contacted.
  ///
  /// - Throws: the error that the last lock holder has found for the session.
  private func settled(_ current: TokenPair?, _ seen: TokenPair) throws(AuthError) -> TokenPair? {
    guard let current else { throw .loggedOut(backend.name) }
    if current.accessToken != seen.accessToken, current.remaining(at: backend.now()).map({ $0 > 0 }) ?? true {
      backend.events(backend.adoption(of: current))
      return current
    }
    if let refusal = current.refusal { throw .mustLogIn(to: backend.name, why: refusal, .refused) }
    return nil
  }
}
