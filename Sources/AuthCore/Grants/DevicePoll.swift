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
