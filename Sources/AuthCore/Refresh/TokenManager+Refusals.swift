import FoundationEssentials

/// What is remembered of tokens that a refresh does not help: refused by the API right after they were issued.
extension TokenManager {
  /// How long the token of a pair is not refreshed although the API refuses it; nil if a refusal leads to a refresh.
  package func refreshPause(_ pair: TokenPair) -> Duration? {
    [pair.refusedAt, refusal?.token == pair.accessToken ? refusal?.at : nil].lazy.compactMap { self.pause($0) }.max()
  }

  /// Remembers for all processes that the API refused a token that had just taken the place of a refused one.
  ///
  /// The fact is a member of the stored pair: it goes with the token, and another token has none. It is written once.
  ///
  /// - Returns: how long a refusal of this token causes no refresh.
  package func rememberRefusal(of token: Secret) async -> Duration? {
    if let refusal, refusal.token == token, let pause = pause(refusal.at) { return pause }
    refusal = (token, backend.now())
    do throws(AuthError) {
      try await storeRefusal(of: token)
    } catch {
      backend.events(.warning("the refusal was not stored: \(error.explanation.what): \(error.explanation.why)"))
    }
    return backend.policy.refusalRest
  }

  /// The stored pair, after the outcome of requests that are under way with its token.
  ///
  /// A token that was refreshed a moment ago, and is refused, may be on trial: the request that caused the refresh is
  /// about to learn that it did not help, and will store that. Each of many parallel calls would refresh it otherwise.
  func afterVerdict(on pair: TokenPair) async throws(AuthError) -> TokenPair {
    var pair = pair
    for pause in TokenManager.verdictPauses where refreshPause(pair) == nil && isFresh(pair) {
      // Only cut short by a cancellation, which the next step notices.
      try? await ContinuousClock().sleep(for: pause)
      guard let latest = try await held.stored() else { throw .loggedOut(backend.name) }
      guard latest.accessToken == pair.accessToken else { return latest }
      pair = latest
    }
    return pair
  }

  /// A second in all: the other request had a head start.
  private static let verdictPauses: [Duration] = [25, 50, 100, 200, 300, 325].map { .milliseconds($0) }

  private func isFresh(_ pair: TokenPair) -> Bool {
    guard let issued = pair.lastRefresh else { return false }
    let age = backend.now().timeIntervalSince(issued) + pair.localClock.least
    return age < backend.policy.freshness.seconds && age > -backend.policy.freshness.seconds
  }

  private func storeRefusal(of token: Secret) async throws(AuthError) {
    // Of many at once nearly all find it stored, and need no lock.
    guard try await held.stored().map({ isToStore(token, $0) }) == true else { return }
    try await note { [self] pair in
      guard isToStore(token, pair) else { return false }
      pair.refusedAt = backend.now()
      return true
    }
  }

  /// Writes a fact to the stored pair, under the lock.
  ///
  /// - Parameter change: puts it into the pair; false if the pair is to stay as it is.
  func note(_ change: @escaping @Sendable (inout TokenPair) -> Bool) async throws(AuthError) {
    _ = try await backend.lock.withLock(.exclusive, deadline: TokenManager.noteDeadline) {
      [backend] _ throws(AuthError) in
      guard let current = try await backend.storage.load() else { return }
      var noted = current
      guard change(&noted) else { return }
      _ = try await backend.storage.replace(current, with: noted)
    }
  }

  /// A process that holds the lock for longer is about to store another token, or finds out the same.
  private static let noteDeadline = Duration.seconds(2)

  private nonisolated func isToStore(_ token: Secret, _ pair: TokenPair) -> Bool {
    pair.accessToken == token && pause(pair.refusedAt) == nil
  }

  private nonisolated func pause(_ refusedAt: Date?) -> Duration? {
    guard let age = refusedAt.map({ backend.now().timeIntervalSince($0) }) else { return nil }
    // The stored time has whole seconds. One in the future comes of a clock that was set back since.
    guard age >= -1, age < backend.policy.refusalRest.seconds else { return nil }
    return .milliseconds(Int64((backend.policy.refusalRest.seconds - max(0, age)) * 1000))
  }
}
