/// One half of an ``Interceptor``: decides after an answer, or after a failure, whether the request is sent again.
public protocol RequestRetrier: Sendable {
  /// Decides what follows from an attempt; whatever must happen before the next one, such as a renewal, happens here.
  ///
  /// It is asked after each attempt, also after one that succeeded.
  ///
  /// - Throws: what ends the request; ``AuthError`` becomes ``APIError/authentication(_:)``, anything else reaches the
  ///   caller as it is.
  func decide(after attempt: Attempt) async throws -> RetryDecision
}
