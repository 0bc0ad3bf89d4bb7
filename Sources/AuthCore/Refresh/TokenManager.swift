import FoundationEssentials

/// Provides the access token of one session and refreshes it only once, regardless of the number of callers.
///
/// The order of steps protects the session: read the pair; return it if its token is usable; otherwise take the lock
/// shared by all processes and read again; adopt a pair that another process has refreshed, or refresh and save it
/// before any other step.
package actor TokenManager {
  nonisolated let backend: SessionBackend
  /// The refreshed tokens that could not be stored.
  nonisolated let held: RescuedTokens
  /// Refreshes the stored pair for the process that holds the lock.
  package nonisolated let exchange: TokenRefresh
  private var running: Task<Result<TokenPair, AuthError>, Never>?
  /// Reports the last change to the observers of the store.
  private var announcing: Task<Void, Never>?
  /// Whether the reason why no token can be cached was reported.
  private var hasReportedFailure = false
  /// The refusal that this process remembers, even if it could not be stored.
  var refusal: (token: Secret, at: Date)?
  /// When this process has last stored that the API refused a token (true), or accepted it (false).
  var notes: [Bool: (token: Secret, at: Date)] = [:]

  /// Creates the manager of a session.
  init(_ backend: SessionBackend) {
    self.backend = backend
    held = RescuedTokens(
      session: backend.name, storage: backend.storage, rescue: backend.rescue, events: backend.events)
    exchange = TokenRefresh(backend, held)
  }

  private nonisolated var events: EventHandler { backend.events }

  /// Returns the pair whose access token the caller must use now; refreshes it first if needed.
  ///
  /// - Parameters:
  ///   - rejected: a token that the API has refused; any other token that has not expired is returned. The same token
  ///     is returned if it was refused right after it was issued, and ``refreshPause(_:)`` is not nil.
  ///   - minValidity: the minimum remaining validity of the token; nil for the policy's `refreshBefore`.
  /// - Throws: ``AuthError``, which names the next step. Without a `minValidity`, a token that is still valid is also
  ///   returned if its refresh fails for now or is slow.
  package func token(replacing rejected: Secret? = nil, minValidity: Duration? = nil) async throws(AuthError)
    -> TokenPair
  {
    if rejected == nil, let pair = cached(validFor: minValidity) { return pair }
    // Before the store is read: a change in between makes the token invalid in the cache.
    let generation = backend.storage.keepsTokens ? await backend.cache?.generation() : nil
    var pair = try await loaded()
    var rejected = rejected
    if pair.accessToken == rejected {
      pair = try await afterVerdict(on: pair)
      if refreshPause(pair) != nil { rejected = nil }
    }
    guard let reason = reasonToRefresh(pair, rejected: rejected, minValidity: minValidity) else {
      let why = reasonToUse(pair, rejected: rejected, minValidity: minValidity)
      events(.usable(access: pair.fingerprint, because: why))
      cache(pair, generation)
      return pair
    }
    if pair.accessToken == rejected { return try await replacement(of: pair, because: reason) }
    guard !hasExpired(pair), minValidity == nil else { return try await refreshed(pair, because: reason) }
    guard backend.refresher.canRefresh(pair) else {
      events(.usable(access: pair.fingerprint, because: "\(reason), and can't be refreshed"))
      return pair
    }
    return await refreshedInTime(pair, because: reason)
  }

  /// Returns the cached token; nil if there is none, or it is not valid for long enough.
  private func cached(validFor minValidity: Duration?) -> TokenPair? {
    guard let cache = backend.cache, let (pair, age) = cache.token(validFor: minValidity) else { return nil }
    let left = pair.remaining(at: backend.now()).map { "valid for another \(DurationText.describe($0))" }
    events(
      .usable(
        access: pair.fingerprint,
        because: "cached in \(cache.place) \(DurationText.describe(age)) ago; \(left ?? "its expiry is unknown")"))
    return pair
  }

  /// Caches the token of a pair that was read after the generation, unless the API has refused it.
  private func cache(_ pair: TokenPair, _ generation: Generation?) {
    guard let cache = backend.cache, refreshPause(pair) == nil, pair.lastingRefusal == nil else { return }
    if let why = cache.failure, !hasReportedFailure {
      hasReportedFailure = true
      events(.notCached(because: why))
    }
    guard let generation else { return }
    cache.fill(
      pair, remaining: pair.remaining(at: backend.now()), spare: backend.spare(pair), generation, reportingTo: events)
  }

  /// Refreshes now, regardless of the remaining validity, unless another process is already refreshing.
  package func refresh(because reason: String = "requested by the caller") async throws(AuthError) -> TokenPair {
    let pair = try await refreshed(try await loaded(), because: reason)
    // An unsaved pair can be used, but it counts as refreshed only after it is saved. The process that has refreshed it
    // may still hold the lock.
    guard try held.pair() != nil else { return pair }
    let saved = try await loaded(deadline: backend.policy.lockDeadline)
    guard try held.pair() == nil else { throw .lockTimedOut(backend.name) }
    return saved
  }

  /// Waits until a refresh in progress has ended: the program must not exit earlier.
  package func finishRefresh() async {
    _ = await running?.value
    await finishAnnouncing()
  }

  /// Waits until the changes that this process has stored are reported: the program should not exit earlier.
  package func finishAnnouncing() async {
    await announcing?.value
  }

  func loaded(deadline: Duration = .zero) async throws(AuthError) -> TokenPair {
    let pair = try await held.load(backend.lock, deadline: deadline)
    events(.loaded(access: pair?.fingerprint, expiresAt: pair?.expiresAt))
    guard let pair = pair ?? backend.storage.begun() else { throw notLoggedIn() }
    do throws(AuthError) { try validate(pair) } catch {
      announce()
      throw error
    }
    return pair
  }

  /// Checks that a stored pair may be used. It must belong to the server that would refresh it and must not be known to
  /// be dead.
  nonisolated func validate(_ pair: TokenPair) throws(AuthError) {
    try backend.refresher.validate(pair)
    guard pair.isDead else { return }
    let code = pair.lastError.map { " (\(Escaped.text($0.error, limit: 80)))" } ?? ""
    throw .mustLogIn(
      to: backend.name,
      why: "the API refused the access token, and the authorization server refused the refresh token\(code)",
      .refused)
  }

  /// Returns a pair other than the one that the API has refused. If no other pair can be obtained, this is recorded,
  /// and no command uses the refused token again.
  private func replacement(of pair: TokenPair, because reason: String) async throws(AuthError) -> TokenPair {
    do throws(AuthError) {
      return try await refreshed(pair, because: reason, rejected: pair.accessToken)
    } catch {
      if case .loginRequired = error { await rememberRefusal(of: pair) }
      throw error
    }
  }

  private func rememberRefusal(of refused: TokenPair) async {
    do throws(AuthError) {
      try await note { [backend] pair in
        guard pair.accessToken == refused.accessToken, pair.lastError?.final == true, pair.accessTokenRefusedAt == nil
        else { return false }
        pair.accessTokenRefusedAt = backend.now()
        return true
      }
    } catch {
      events(.warning("the refusal of the access token can't be stored: \(error.explanation.why)"))
    }
  }

  /// Refreshes a valid token, and returns it unchanged if the refresh fails or is slow. A slow refresh continues.
  private func refreshedInTime(_ pair: TokenPair, because reason: String) async -> TokenPair {
    let task = refreshTask(pair, because: reason)
    return await TimeLimit.run(backend.policy.patience) { [backend] in
      switch await task.value {
      case .success(let refreshed): return refreshed
      case .failure(let error):
        backend.events(
          .warning("\(error.explanation.what): \(error.explanation.why); the token is still valid and used"))
        return pair
      }
    } ?? pair
  }

  private func refreshed(
    _ pair: TokenPair, because reason: String, rejected: Secret? = nil
  ) async throws(AuthError) -> TokenPair {
    let refreshed = try await refreshTask(pair, because: reason, rejected: rejected).value.get()
    // The pair may be from a login in another process in the meantime, perhaps at another server.
    try validate(refreshed)
    return refreshed
  }

  /// Refreshes once at a time in this process. The refresh continues if the task that requested it is cancelled.
  private func refreshTask(
    _ pair: TokenPair, because reason: String, rejected: Secret? = nil
  ) -> Task<Result<TokenPair, AuthError>, Never> {
    if let running { return running }
    let coordinator = RefreshCoordinator(self, rejected: rejected)
    let task = Task.detached { [weak self] in
      let result: Result<TokenPair, AuthError>
      do throws(AuthError) {
        result = .success(try await coordinator.refreshed(pair, because: reason))
      } catch {
        result = .failure(error)
      }
      await self?.ended()
      return result
    }
    running = task
    return task
  }

  private func ended() {
    running = nil
    // After the lock is released, and not before the caller has its token.
    announce()
  }

  private func announce() {
    announcing = Task { [storage = backend.storage, former = announcing] in
      await former?.value
      await storage.announce()
    }
  }

  /// Whether a pair would be returned without a refresh if it were read from the store now.
  nonisolated func isGood(_ pair: TokenPair) -> Bool {
    reasonToRefresh(pair, rejected: nil, minValidity: nil) == nil
  }

  private nonisolated func reasonToRefresh(_ pair: TokenPair, rejected: Secret?, minValidity: Duration?) -> String? {
    if pair.lacksToken { return "no token has been requested yet" }
    if let rejected, pair.accessToken == rejected { return "the API refused the token" }
    guard let remaining = pair.remaining(at: backend.now()) else { return nil }
    if remaining <= 0 { return "the token has expired" }
    guard rejected == nil else { return nil }
    let wanted = minValidity?.seconds ?? backend.standardMargin(pair)
    return remaining < wanted ? "the token is valid for less than \(DurationText.describe(wanted))" : nil
  }

  private nonisolated func reasonToUse(_ pair: TokenPair, rejected: Secret?, minValidity: Duration?) -> String {
    guard let remaining = pair.remaining(at: backend.now()) else {
      return "its expiry is unknown; it is refreshed after the API refuses it"
    }
    guard rejected == nil else {
      return "not the token that was refused; valid for another \(DurationText.describe(remaining))"
    }
    let wanted = minValidity?.seconds ?? backend.standardMargin(pair)
    return "valid for another \(DurationText.describe(remaining)); refreshed if less than "
      + "\(DurationText.describe(wanted)) is left"
  }

  private func hasExpired(_ pair: TokenPair) -> Bool { pair.remaining(at: backend.now()).map { $0 <= 0 } ?? false }

  nonisolated func notLoggedIn() -> AuthError {
    .mustLogIn(to: backend.name, why: "not logged in", .notLoggedIn)
  }
}
