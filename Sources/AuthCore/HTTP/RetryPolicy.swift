package import FoundationEssentials
package import HTTPTypes

/// When a request that failed for a moment is sent again, and after which pause.
///
/// Transient are no connection, a broken one, a time limit that ran out, and the statuses 408, 429, 500, 502, 503 and
/// 504. Only a request that can be repeated without harm is sent again (RFC 9110, section 9.2.2), unless the caller
/// says otherwise.
package struct RetryPolicy: Sendable, Equatable {
  /// How often a request is sent again at the most.
  package var limit: Int
  /// The pause; nil for 1 s, twice as much after each failure, up to ``longestPause``.
  package var delay: Duration?
  /// For how long after the first sending begins a request is sent again; nil for as long as it takes.
  package var maxTime: Duration?
  /// Whether a request is sent again of any method, although the first one may have done its work.
  package var repeatsAnyMethod = false
  /// Whether one of any method is sent again where no connection could be made: nothing of it was sent.
  package var repeatsUnsent = false
  /// Whether every failure counts as transient, and every status of 400 or more.
  package var includesAllErrors = false

  /// The longest pause that is made of our own accord, or because a server asks for it without a ``maxTime``.
  package static let longestPause = Duration.seconds(600)

  /// Makes a policy.
  package init(limit: Int, delay: Duration? = nil, maxTime: Duration? = nil) {
    self.limit = limit
    self.delay = delay
    self.maxTime = maxTime
  }

  /// The pause after which a request is sent again; nil where it is not.
  ///
  /// - Parameters:
  ///   - outcome: what came of the last sending.
  ///   - failures: how often it was sent in vain before that.
  ///   - elapsed: the time since the first sending began.
  ///   - now: the time of day, for a date in `Retry-After`.
  ///   - chance: a random number from 0 to 1, so that many that fail together do not come back together.
  package func pause(
    after outcome: TransferOutcome, of method: HTTPRequest.Method, failures: Int, elapsed: Duration, now: Date,
    chance: Double
  ) -> Duration? {
    guard failures < limit, isTransient(outcome), mayRepeat(method, after: outcome) else { return nil }
    if let maxTime, elapsed >= maxTime { return nil }
    if case .response(let response) = outcome, let asked = RetryAfter.pause(in: response, now: now), asked > .zero {
      let pause = asked * (1 + chance / 10)
      // To wait for a day because a server says so is not for a program to decide.
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
