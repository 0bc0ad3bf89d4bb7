import HTTPTypes

/// Has a request sent again that failed for a moment: no connection, 408, 429, 500, 502, 503 or 504.
///
/// Only a request that can be repeated without harm is sent again where it may have arrived: `GET`, `HEAD`, `OPTIONS`,
/// `TRACE`, `PUT` and `DELETE` (RFC 9110, section 9.2.2).
public struct TransientRetrier: RequestRetrier {
  private let pauses: [Duration]

  /// Says how often and when: a pause before each further attempt.
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
