import FoundationEssentials

/// Retries requests after transient failures: no connection, 408, 429, 500, 502, 503 or 504.
///
/// A request that may have reached the server is retried only if its method is idempotent: `GET`, `HEAD`, `OPTIONS`,
/// `TRACE`, `PUT` and `DELETE` (RFC 9110, section 9.2.2). If the response states when to retry (`Retry-After`), the
/// pause is that.
public struct TransientRetrier: RequestRetrier {
  private let pauses: [Duration]
  private let longestPause: Duration

  /// Creates a retrier; each pause is followed by one retry.
  ///
  /// - Parameter pauses: the pauses where the server states none.
  /// - Parameter longestPause: a server that asks for a longer pause is not asked again: its response is returned.
  public init(
    pauses: [Duration] = [.milliseconds(200), .seconds(1)], longestPause: Duration = .seconds(60)
  ) {
    self.pauses = pauses
    self.longestPause = longestPause
  }

  public func decide(after attempt: Attempt) async throws -> RetryDecision {
    let failures = attempt.earlier.count { pause(after: $0, attempt, failures: 0) != nil }
    return pause(after: attempt.outcome, attempt, failures: failures).map { .sendAgain(after: $0) } ?? .accept
  }

  private func pause(after outcome: TransferOutcome, _ attempt: Attempt, failures: Int) -> Duration? {
    guard pauses.indices.contains(failures) else { return nil }
    var policy = RetryPolicy(limit: pauses.count, delay: pauses[failures], maxTime: longestPause)
    policy.repeatsUnsent = true
    return policy.pause(
      after: outcome, of: attempt.request.method, failures: failures, elapsed: .zero, now: Date(), chance: 0)
  }
}
