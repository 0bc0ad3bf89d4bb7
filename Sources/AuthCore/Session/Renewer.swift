import FoundationEssentials

/// The part of a renewal that all processes of a user take turns in.
struct Renewer: Sendable {
  private let session: String
  private let storage: any TokenStorage
  private let lock: any RefreshLock
  private let renewal: any TokenRenewal
  private let policy: TokenManager.Policy
  private let now: @Sendable () -> Date
  private let events: EventSink

  init(_ manager: TokenManager) {
    session = manager.session
    storage = manager.storage
    lock = manager.lock
    renewal = manager.renewal
    policy = manager.policy
    now = manager.now
    events = manager.events
  }

  /// Renews `seen`, or adopts what another process has made of it.
  ///
  /// Whoever does not get the lock at once waits together with all others for its release, reads, and in nearly every
  /// case is done: a hundred waiters are served at once and not one by one.
  func renewed(_ seen: TokenPair, because reason: String) async throws(AuthError) -> TokenPair {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: policy.lockDeadline)
    var told = false
    while true {
      let mine = try await lock.withLock(.exclusive, deadline: .zero) { () throws(AuthError) in
        try await exchanged(seen, because: reason)
      }
      if let mine { return mine }
      if !told { events(.waiting) }
      told = true
      let left = clock.now.duration(to: end)
      guard left > .zero else { throw .lockTimedOut(session) }
      let theirs = try await lock.withLock(.shared, deadline: left) { () throws(AuthError) in
        Adopted(pair: try adoptable(try await storage.load(), seen))
      }
      guard let theirs else { throw .lockTimedOut(session) }
      if let pair = theirs.pair { return pair }
    }
  }

  private struct Adopted: Sendable {
    let pair: TokenPair?
  }

  private func exchanged(_ seen: TokenPair, because reason: String) async throws(AuthError) -> TokenPair {
    let current = try await storage.load()
    if let adopted = try adoptable(current, seen) { return adopted }
    guard let current else { throw loggedOut() }
    events(.renewing(because: reason))
    let renewed: TokenPair
    do {
      renewed = try await renewal.renew(current)
    } catch {
      return try await settled(error, for: current)
    }
    events(
      .renewed(
        access: renewed.accessToken.fingerprint, refreshTokenRotated: renewed.refreshToken != current.refreshToken,
        expiresAt: renewed.expiresAt))
    // A server may answer what is stored already: nothing is written that did not change.
    guard !renewed.holdsTheSame(as: current) else { return current }
    try await save(renewed)
    return renewed
  }

  /// What another process has left: a pair to use, nil where it is still the one that was seen.
  private func adoptable(_ current: TokenPair?, _ seen: TokenPair) throws(AuthError) -> TokenPair? {
    guard let current else { throw loggedOut() }
    if current.accessToken != seen.accessToken, current.remaining(at: now()).map({ $0 > 0 }) ?? true {
      events(.adopted(access: current.accessToken.fingerprint))
      return current
    }
    if let failure = current.lastError, failure.final { throw dead(failure.error) }
    return nil
  }

  /// The pair is all that is left of the session when the exchange has succeeded: the store is asked more than once.
  private func save(_ pair: TokenPair) async throws(AuthError) {
    var pauses = policy.savePauses[...]
    while true {
      do throws(AuthError) {
        try await storage.save(pair)
        events(.saved(access: pair.accessToken.fingerprint))
        return
      } catch {
        guard let pause = pauses.popFirst() else { throw error }
        events(.retrying(reason: "\(error.explanation.what): \(error.explanation.why)", pause: pause.seconds))
        // Not cancelled: this runs in a task of its own.
        try? await ContinuousClock().sleep(for: pause)
      }
    }
  }

  /// What is left to do after a failed exchange: mostly to say so.
  private func settled(_ failure: RenewalFailure, for pair: TokenPair) async throws(AuthError) -> TokenPair {
    switch failure {
    case .other(let error):
      events(.renewalFailed(reason: "\(error.explanation.what): \(error.explanation.why)"))
      throw error
    case .refreshTokenDead(let code, let explanation):
      // Somebody without our lock (another machine, another program) may have renewed: what is stored decides.
      guard var latest = try await storage.load() else { throw loggedOut() }
      if latest.refreshToken != pair.refreshToken {
        events(.adopted(access: latest.accessToken.fingerprint))
        return latest
      }
      latest.lastError = TokenPair.Failure(error: code, at: now(), final: true)
      try await save(latest)
      events(.loginRequired(reason: explanation.why))
      throw .loginRequired(explanation)
    }
  }

  private func loggedOut() -> AuthError {
    .loginRequired(
      .init("profile \(session)", why: "it was logged out meanwhile", hint: "run: authctl login \(session)"))
  }

  private func dead(_ code: String) -> AuthError {
    .loginRequired(
      .init(
        "profile \(session)", why: "the server has refused the refresh token (\(Printable.text(code, limit: 80)))",
        hint: "run: authctl login \(session)"))
  }
}
