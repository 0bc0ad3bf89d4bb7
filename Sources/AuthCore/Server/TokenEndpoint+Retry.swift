extension TokenEndpoint {
  /// Why a server refuses a request before it looks at the grant, which is then unharmed.
  enum Objection: Sendable {
    /// The proof lacks the server's nonce (RFC 9449, section 8).
    case nonce
    /// Proof or assertion has a time that is not the server's.
    case time
  }

  /// What can be fixed in a refused request; nil if the response is final.
  ///
  /// Learns the server's time from the response; if it was known already, the time was not the reason.
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
