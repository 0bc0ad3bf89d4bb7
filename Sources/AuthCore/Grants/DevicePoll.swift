/// What one poll has brought when it has not ended the waiting (RFC 8628, section 3.5).
enum DevicePoll {
  /// The person has not decided yet.
  case waiting
  /// So, and the server wants to be asked less often.
  case slowDown
  /// The server is not to be had for now; `retryAfter` in seconds.
  case unavailable(reason: String, retryAfter: Double?)

  /// Reads why a poll brought no tokens.
  ///
  /// - Throws: ``DeviceFailure`` where that is final.
  init(_ failure: TokenEndpoint.Failure) throws(DeviceFailure) {
    switch failure {
    case .unavailable(let reason, let retryAfter, _): self = .unavailable(reason: reason, retryAfter: retryAfter)
    case .contended(let reason): self = .unavailable(reason: reason, retryAfter: nil)
    case .refused(let response), .invalidGrant(let response):
      switch response.error {
      case "authorization_pending": self = .waiting
      case "slow_down": self = .slowDown
      case "access_denied", "authorization_declined": throw .denied(response)
      case "expired_token", "code_expired": throw .expired(lastFailure: nil)
      default: throw .refused(failure)
      }
    // The network of a machine may change while a person decides.
    case .local(.tryLater(let explanation)): self = .unavailable(reason: explanation.why, retryAfter: nil)
    case .malformed, .local: throw .refused(failure)
    }
  }
}
