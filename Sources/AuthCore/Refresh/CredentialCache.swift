/// Reuses a credential for a short time without reading the store, for many requests at once.
///
/// A change by another process is detected a little later, which is harmless: a token that has been replaced remains
/// valid until the API refuses it, and a refused token is not used again.
package actor CredentialCache {
  /// Reads a credential, and the pair that it was created from, from the store; `rejected` as in ``TokenManager``.
  typealias Source = @Sendable (_ rejected: Secret?) async throws(AuthError) -> (TokenPair, APICredential)

  private struct Known {
    let pair: TokenPair
    let credential: APICredential
    let asked: ContinuousClock.Instant
  }

  private struct Question {
    let rejected: Secret?
    let response: Task<Result<APICredential, AuthError>, Never>
  }

  private let limit: Duration
  private let isGood: @Sendable (TokenPair) -> Bool
  private let now: @Sendable () -> ContinuousClock.Instant
  private let remember: @Sendable (Secret) async -> Duration?
  private let source: Source
  private var known: Known?
  private var question: Question?

  /// - Parameters:
  ///   - limit: the time for which a credential is reused.
  ///   - isGood: whether a pair's token is still valid for long enough.
  ///   - remember: remembers a token that the API refused right after it was issued.
  init(
    within limit: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    isGood: @escaping @Sendable (TokenPair) -> Bool,
    remember: @escaping @Sendable (Secret) async -> Duration? = { _ in nil }, source: @escaping Source
  ) {
    self.limit = limit
    self.isGood = isGood
    self.now = now
    self.remember = remember
    self.source = source
  }

  /// Returns the credential for a request to the API.
  ///
  /// - Parameter rejected: a token that the API has refused.
  /// - Throws: ``AuthError``, which names the next step.
  package func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    if let known, known.asked.duration(to: now()) < limit, known.credential.token != rejected, isGood(known.pair) {
      return known.credential
    }
    // Concurrent callers with the same rejected token wait for one result.
    if let question, question.rejected == rejected { return try await question.response.value.get() }
    let asked = now()
    let task = Task(executorPreference: InheritedExecutor.current) {
      await self.response(to: rejected, asked: asked)
    }
    question = Question(rejected: rejected, response: task)
    return try await task.value.get()
  }

  package func rememberRefusal(of token: Secret) async -> Duration? { await remember(token) }

  private func response(
    to rejected: Secret?, asked: ContinuousClock.Instant
  ) async -> Result<APICredential, AuthError> {
    defer { if question?.rejected == rejected { question = nil } }
    do throws(AuthError) {
      let (pair, credential) = try await source(rejected)
      // A slow result of an older read must not replace a newer one.
      if known.map({ $0.asked <= asked }) ?? true { known = Known(pair: pair, credential: credential, asked: asked) }
      return .success(credential)
    } catch {
      // A refused token that can't be replaced is not used again.
      if let rejected, known?.credential.token == rejected { known = nil }
      return .failure(error)
    }
  }
}
