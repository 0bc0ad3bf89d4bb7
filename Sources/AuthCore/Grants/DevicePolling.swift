/// Polls for tokens until the user approves on another device (RFC 8628, sections 3.4 and 3.5).
struct DevicePolling<Time: Clock>: Sendable where Time.Duration == Duration {
  let endpoint: TokenEndpoint
  /// The form fields of each poll.
  let grant: [(name: String, value: String)]
  /// The initial minimum time between two polls.
  let interval: Duration
  /// The maximum wait for the user.
  let patience: Duration
  let events: EventHandler
  let clock: Time

  private static var longestPause: Duration { .seconds(60) }

  /// Polls until a response is final or the time has expired.
  func tokens() async throws(DeviceFailure) -> TokenEndpoint.Response {
    let end = clock.now.advanced(by: patience)
    var interval = interval
    var pause = interval
    var lastFailure: TokenEndpoint.Unavailability?
    while true {
      try await sleep(pause, until: end, lastFailure)
      do throws(TokenEndpoint.Failure) {
        return try await endpoint.request(grant)
      } catch {
        switch try DevicePoll(error) {
        case .waiting:
          (pause, lastFailure) = (interval, nil)
        case .slowDown:
          // The increase applies to this and all subsequent polls (section 3.5).
          interval += .seconds(5)
          (pause, lastFailure) = (interval, nil)
        case .unavailable(let failure):
          // The pause grows with each failure (section 3.5), and is reset when the server responds again.
          let wanted = Duration.seconds(min(failure.retryAfter ?? 0, 86400))
          pause = max(interval, min(pause * 2, DevicePolling.longestPause), wanted)
          lastFailure = failure
          events(.retrying(reason: failure.reason, pause: pause.seconds))
        }
      }
    }
  }

  private func sleep(
    _ pause: Duration, until end: Time.Instant, _ lastFailure: TokenEndpoint.Unavailability?
  ) async throws(DeviceFailure) {
    let next = clock.now.advanced(by: pause)
    do {
      try await clock.sleep(until: min(next, end), tolerance: nil)
    } catch {
      throw .cancelled
    }
    guard next <= end else { throw .expired(lastFailure: lastFailure) }
  }
}

/// The reason why a login on another device returned no tokens.
///
/// It is not nested in ``DevicePolling``: Swift 6.3 can't optimize a function that throws an error type of a generic
/// type.
enum DeviceFailure: Error {
  /// The user refused.
  case denied(ErrorResponse)
  /// The user did not approve in time; `lastFailure` is the last poll that failed because the server was unavailable.
  case expired(lastFailure: TokenEndpoint.Unavailability?)
  /// The server refuses the request for another reason.
  case refused(TokenEndpoint.Failure)
  /// The login was cancelled.
  case cancelled
}

/// The result of a poll that does not end the polling (RFC 8628, section 3.5).
enum DevicePoll {
  /// The user has not decided yet.
  case waiting
  /// The user has not decided yet, and the server requires longer pauses between polls.
  case slowDown
  /// The server is unavailable for now.
  case unavailable(TokenEndpoint.Unavailability)

  /// Reads the reason why a poll returned no tokens.
  ///
  /// - Throws: ``DeviceFailure`` if the failure is final.
  init(_ failure: TokenEndpoint.Failure) throws(DeviceFailure) {
    switch failure {
    case .unavailable(let failure): self = .unavailable(failure)
    case .contended(let reason): self = .unavailable(.init(reason: reason, mayHaveArrived: false))
    case .refused(let response), .invalidGrant(let response):
      switch response.error {
      case "authorization_pending": self = .waiting
      case "slow_down": self = .slowDown
      case "access_denied", "authorization_declined": throw .denied(response)
      case "expired_token", "code_expired": throw .expired(lastFailure: nil)
      default: throw .refused(failure)
      }
    // The network of a machine may change while the user decides.
    case .local(.tryLater(let explanation)):
      self = .unavailable(.init(reason: explanation.why, mayHaveArrived: false))
    case .malformed, .local: throw .refused(failure)
    }
  }
}
