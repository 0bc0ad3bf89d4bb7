/// The waiting for a person who approves on another device (RFC 8628, sections 3.4 and 3.5).
struct DevicePolling<Time: Clock>: Sendable where Time.Duration == Duration {
  let endpoint: TokenEndpoint
  /// The form fields of each poll.
  let grant: [(name: String, value: String)]
  /// The least time between two polls, to begin with.
  let interval: Duration
  /// How long to wait for the person.
  let patience: Duration
  let events: EventSink
  let clock: Time

  /// Why there are no tokens.
  enum Failure: Error {
    /// The person said no.
    case denied(ErrorResponse)
    /// Nobody has approved in time; the reason is that of the last poll that failed for another cause than waiting.
    case expired(lastFailure: String?)
    /// The server refuses for another reason.
    case refused(TokenEndpoint.Failure)
    /// The login was given up.
    case cancelled
  }

  /// What one poll has brought when it has not ended the waiting.
  private enum Pending {
    case waiting
    case slowDown
    case unavailable(reason: String, retryAfter: Double?)
  }

  private static var longestPause: Duration { .seconds(60) }

  /// Asks until there is an answer that is final, or no more time.
  func tokens() async throws(Failure) -> TokenEndpoint.Answer {
    let end = clock.now.advanced(by: patience)
    var interval = interval
    var pause = interval
    var lastFailure: String?
    while true {
      try await sleep(pause, until: end, lastFailure)
      do throws(TokenEndpoint.Failure) {
        return try await endpoint.request(grant)
      } catch {
        switch try pending(error) {
        case .waiting:
          (pause, lastFailure) = (interval, nil)
        case .slowDown:
          // Lasting, for this and all subsequent polls (section 3.5).
          interval += .seconds(5)
          (pause, lastFailure) = (interval, nil)
        case .unavailable(let reason, let retryAfter):
          // Less often each time (section 3.5), as often as before once the server is back.
          let wanted = Duration.seconds(min(retryAfter ?? 0, 86400))
          pause = max(interval, min(pause * 2, DevicePolling.longestPause), wanted)
          lastFailure = reason
          events(.retrying(reason: reason, pause: pause.seconds))
        }
      }
    }
  }

  private func sleep(_ pause: Duration, until end: Time.Instant, _ lastFailure: String?) async throws(Failure) {
    let next = clock.now.advanced(by: pause)
    do {
      try await clock.sleep(until: min(next, end), tolerance: nil)
    } catch {
      throw .cancelled
    }
    guard next <= end else { throw .expired(lastFailure: lastFailure) }
  }

  /// - Throws: ``Failure`` where the answer is final.
  private func pending(_ failure: TokenEndpoint.Failure) throws(Failure) -> Pending {
    switch failure {
    case .unavailable(let reason, let retryAfter, _): return .unavailable(reason: reason, retryAfter: retryAfter)
    case .refused(let response), .invalidGrant(let response):
      switch response.error {
      case "authorization_pending": return .waiting
      case "slow_down": return .slowDown
      case "access_denied", "authorization_declined": throw .denied(response)
      case "expired_token", "code_expired": throw .expired(lastFailure: nil)
      default: throw .refused(failure)
      }
    case .malformed, .local: throw .refused(failure)
    }
  }
}
