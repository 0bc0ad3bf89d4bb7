extension RenewalFailure {
  /// What a failure means for the stored pair: a server's code with a demand to log in says that the refresh token is
  /// dead.
  ///
  /// - Parameter isPastItsTime: whether the refresh token has expired by the clocks of this machine. Then any code of the
  ///   server that is about the grant says that it is dead: nobody asks a second time.
  init(_ error: AuthError, isPastItsTime: Bool = false) {
    if case .loginRequired(let explanation) = error, let code = explanation.serverError {
      self = .refreshTokenDead(code, explanation)
    } else if case .refused(var explanation) = error, isPastItsTime, let code = explanation.serverError,
      !RenewalFailure.codesBesideTheGrant.contains(code)
    {
      explanation.hint = "the refresh token has expired: log in again"
      self = .refreshTokenDead(code, explanation)
    } else {
      self = .other(error)
    }
  }

  /// Codes that are about the client, or about the moment (RFC 6749, sections 4.1.2.1 and 5.2; RFC 9449, section 5).
  private static let codesBesideTheGrant: Set<String> = [
    "invalid_client", "unauthorized_client", "server_error", "internal_server_error", "temporarily_unavailable",
    "slow_down", "use_dpop_nonce", "invalid_dpop_proof",
  ]
}
