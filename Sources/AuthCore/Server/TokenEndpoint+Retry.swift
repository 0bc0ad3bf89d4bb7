extension TokenEndpoint {
  /// The reason why a server refuses a request before it evaluates the grant, which remains usable.
  enum Objection: Sendable {
    /// The proof lacks the server's nonce (RFC 9449, section 8).
    case nonce
    /// The proof or the assertion has a time that the server does not accept.
    case time
  }

  /// Returns the problem of a refused request that can be fixed; nil if the response is final.
  ///
  /// Learns the server's time from the response; if the time was already known, it was not the reason.
  func objection(in attempt: Attempt) -> Objection? {
    guard prover != nil || client.authentication.isDated else { return nil }
    let isNewTime = learnsTime(from: attempt)
    let error = ErrorResponse(attempt.response).error
    if prover != nil, error == DPoPProver.nonceError {
      return DPoPProver.nonce(in: attempt.response) != nil ? .nonce : nil
    }
    return isNewTime && (error == "invalid_client" || error == "invalid_dpop_proof") ? .time : nil
  }

  private func learnsTime(from attempt: Attempt) -> Bool {
    guard let date = attempt.response.date else { return false }
    return clock.learn(from: IssuanceClock(sent: attempt.sent, received: connection.reading, serverDate: date))
  }
}
