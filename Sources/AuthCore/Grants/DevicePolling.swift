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

  /// Asks until there is an answer that is final, or no more time.
  func tokens() async throws(DeviceFailure) -> TokenEndpoint.Answer {
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
