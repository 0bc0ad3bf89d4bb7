import Synchronization

/// Reuses a credential for a short time without reading the store, for many requests at once.
///
/// A change by another process is detected a little later, which is harmless: a token that has been replaced remains
/// valid until the API refuses it, and a refused token is not used again.
package final class RecentCredential: Sendable {
  /// Reads a credential, and the pair that it was created from, from the store; `rejected` as in ``TokenManager``.
  typealias Source = @Sendable (_ rejected: Secret?) async throws(AuthError) -> (TokenPair, APICredential)

  private struct Known {
    let pair: TokenPair
    let credential: APICredential
    let asked: ContinuousClock.Instant
  }

  private struct Reading {
    let rejected: Secret?
    let result: Task<Result<APICredential, AuthError>, Never>
  }

  private struct State {
    var known: Known?
    var reading: Reading?
  }

  private enum Found {
    case known(APICredential)
    case reading(Task<Result<APICredential, AuthError>, Never>)
  }

  private let limit: Duration
  private let isGood: @Sendable (TokenPair) -> Bool
  private let now: @Sendable () -> ContinuousClock.Instant
  private let memory: @Sendable (APIVerdict, Secret) async -> Duration?
  private let source: Source
  // No actor: a task would change its executor, and back, for each request.
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: the time for which a credential is reused.
  ///   - isGood: whether a pair's token is still valid for long enough.
  ///   - memory: remembers what the API says about a token.
  init(
    within limit: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    isGood: @escaping @Sendable (TokenPair) -> Bool,
    memory: @escaping @Sendable (APIVerdict, Secret) async -> Duration? = { _, _ in nil }, source: @escaping Source
  ) {
    self.limit = limit
    self.isGood = isGood
    self.now = now
    self.memory = memory
    self.source = source
  }

  /// Returns the credential for a request to the API.
  ///
  /// - Parameter rejected: a token that the API has refused.
  /// - Throws: ``AuthError``, which names the next step.
  package func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    switch found(replacing: rejected) {
    case .known(let credential): return credential
    case .reading(let result): return try await result.value.get()
    }
  }

  package func remember(_ verdict: APIVerdict, on token: Secret) async -> Duration? { await memory(verdict, token) }

  private func found(replacing rejected: Secret?) -> Found {
    state.withLock { state in
      if let known = state.known, known.asked.duration(to: now()) < limit, known.credential.token != rejected,
        isGood(known.pair)
      {
        return .known(known.credential)
      }
      // Concurrent callers with the same rejected token wait for one result.
      if let reading = state.reading, reading.rejected == rejected { return .reading(reading.result) }
      let asked = now()
      let task = Task(executorPreference: InheritedExecutor.current) {
        await self.read(replacing: rejected, asked: asked)
      }
      state.reading = Reading(rejected: rejected, result: task)
      return .reading(task)
    }
  }

  private func read(
    replacing rejected: Secret?, asked: ContinuousClock.Instant
  ) async -> Result<APICredential, AuthError> {
    defer { state.withLock { if $0.reading?.rejected == rejected { $0.reading = nil } } }
    do throws(AuthError) {
      let (pair, credential) = try await source(rejected)
      state.withLock { state in
        // A slow result of an older read must not replace a newer one.
        guard state.known.map({ $0.asked <= asked }) ?? true else { return }
        state.known = Known(pair: pair, credential: credential, asked: asked)
      }
      return .success(credential)
    } catch {
      // A refused token that can't be replaced is not used again.
      if let rejected { state.withLock { if $0.known?.credential.token == rejected { $0.known = nil } } }
      return .failure(error)
    }
  }
}
