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

  private static var longestPause: Duration { .seconds(60) }

  /// Asks until there is a response that is final, or no more time.
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
          // Lasting, for this and all subsequent polls (section 3.5).
          interval += .seconds(5)
          (pause, lastFailure) = (interval, nil)
        case .unavailable(let failure):
          // Less often each time (section 3.5), as often as before once the server is back.
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

/// Why a login on another device has brought no tokens.
///
/// Not within ``DevicePolling``: Swift 6.3 can't optimize a function that throws an error type of a generic type.
enum DeviceFailure: Error {
  /// The person said no.
  case denied(ErrorResponse)
  /// The user did not approve in time; `lastFailure` is the last poll that failed for another reason than waiting.
  case expired(lastFailure: TokenEndpoint.Unavailability?)
  /// The server refuses for another reason.
  case refused(TokenEndpoint.Failure)
  /// The login was given up.
  case cancelled
}

/// What one poll has brought when it has not ended the waiting (RFC 8628, section 3.5).
enum DevicePoll {
  /// The person has not decided yet.
  case waiting
  /// So, and the server wants to be asked less often.
  case slowDown
  /// The server is unavailable for now.
  case unavailable(TokenEndpoint.Unavailability)

  /// Reads why a poll brought no tokens.
  ///
  /// - Throws: ``DeviceFailure`` where that is final.
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
    // The network of a machine may change while a person decides.
    case .local(.tryLater(let explanation)):
      self = .unavailable(.init(reason: explanation.why, mayHaveArrived: false))
    case .malformed, .local: throw .refused(failure)
    }
  }
}
