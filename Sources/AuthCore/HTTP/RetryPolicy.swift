package import FoundationEssentials
package import HTTPTypes

/// Decides whether a request that failed transiently is retried, and after which pause.
///
/// Transient failures are: no connection, a broken connection, a timeout, and the statuses 408, 429, 500, 502, 503 and
/// 504. Only idempotent requests are retried (RFC 9110, section 9.2.2), unless the caller allows others.
package struct RetryPolicy: Sendable, Equatable {
  /// The maximum number of retries.
  package var limit: Int
  /// The pause before a retry; nil for 1 s, doubled after each failure, up to ``longestPause``.
  package var delay: Duration?
  /// The time after the start of the first attempt in which retries may start; nil for no limit.
  package var maxTime: Duration?
  /// Whether requests of any method are retried, although the first attempt may have taken effect.
  package var repeatsAnyMethod = false
  /// Whether requests of any method are retried if no connection was established: nothing was sent.
  package var repeatsUnsent = false
  /// Whether every network failure and every status of 400 or more counts as transient.
  package var includesAllErrors = false

  /// The longest pause by default, and the longest that a server may request if there is no ``maxTime``.
  package static let longestPause = Duration.seconds(600)

  /// Creates a policy.
  package init(limit: Int, delay: Duration? = nil, maxTime: Duration? = nil) {
    self.limit = limit
    self.delay = delay
    self.maxTime = maxTime
  }

  /// Returns the pause after which a request is retried; nil if it is not retried.
  ///
  /// - Parameters:
  ///   - outcome: the outcome of the last attempt.
  ///   - failures: the number of failed attempts before the last one.
  ///   - elapsed: the time since the start of the first attempt.
  ///   - now: the time of day, for a date in `Retry-After`.
  ///   - chance: a random number from 0 to 1, so that clients that fail at the same time do not retry at the same time.
  package func pause(
    after outcome: TransferOutcome, of method: HTTPRequest.Method, failures: Int, elapsed: Duration, now: Date,
    chance: Double
  ) -> Duration? {
    guard failures < limit, isTransient(outcome), mayRepeat(method, after: outcome) else { return nil }
    if let maxTime, elapsed >= maxTime { return nil }
    if case .response(let response) = outcome, let asked = RetryAfter.pause(in: response, now: now), asked > .zero {
      let pause = asked * (1 + chance / 10)
      // A program must not wait for a day only because a server requests it.
      let isInTime = maxTime.map { elapsed + pause <= $0 } ?? (asked <= RetryPolicy.longestPause)
      return isInTime ? pause : nil
    }
    if let delay { return delay }
    let doubled = Duration.seconds(1 << min(failures, 10))
    return min(doubled, RetryPolicy.longestPause) * (0.5 + chance / 2)
  }

  private func isTransient(_ outcome: TransferOutcome) -> Bool {
    switch outcome {
    case .response(let response):
      TransientStatus.contains(response.status) || includesAllErrors && response.status >= 400
    case .failure(let error):
      error.isTransient || includesAllErrors && error.isRemote
    }
  }

  private func mayRepeat(_ method: HTTPRequest.Method, after outcome: TransferOutcome) -> Bool {
    if method.isIdempotent || repeatsAnyMethod { return true }
    guard repeatsUnsent, case .failure(let error) = outcome else { return false }
    return error.isUnsent
  }
}
