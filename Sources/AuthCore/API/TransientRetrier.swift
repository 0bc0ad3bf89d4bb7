import HTTPTypes

/// Retries requests after transient failures: no connection, 408, 429, 500, 502, 503 or 504.
///
/// A request that may have reached the server is retried only if its method is idempotent: `GET`, `HEAD`, `OPTIONS`,
/// `TRACE`, `PUT` and `DELETE` (RFC 9110, section 9.2.2).
public struct TransientRetrier: RequestRetrier {
  private let pauses: [Duration]

  /// Creates a retrier; each pause is followed by one retry.
  public init(pauses: [Duration] = [.milliseconds(200), .seconds(1)]) {
    self.pauses = pauses
  }

  public func decide(after attempt: Attempt) async throws -> RetryDecision {
    let failures = attempt.earlier.count { isTransient($0, attempt.request) }
    guard isTransient(attempt.outcome, attempt.request), pauses.indices.contains(failures) else { return .accept }
    return .sendAgain(after: pauses[failures])
  }

  private func isTransient(_ outcome: TransferOutcome, _ request: APIRequest) -> Bool {
    let isRepeatable = request.method.isIdempotent
    return switch outcome {
    case .response(let response): isRepeatable && TransientStatus.contains(response.status)
    case .failure(let error): error.isTransient && (error.isUnsent || isRepeatable)
    }
  }
}
