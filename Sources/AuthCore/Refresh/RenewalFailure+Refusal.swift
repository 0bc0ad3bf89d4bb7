extension RenewalFailure {
  /// The failure where the refresh token has expired by the clocks of this machine: any code of the server that is about
  /// the grant then says that it is dead, and nobody asks a second time.
  var pastItsTime: RenewalFailure {
    guard case .other(.refused(var explanation)) = self, let code = explanation.serverError,
      !RenewalFailure.codesBesideTheGrant.contains(code)
    else { return self }
    explanation.hint = "the refresh token has expired: log in again"
    return .refreshTokenDead(code, explanation)
  }

  /// Codes that are about the client, or about the moment (RFC 6749, sections 4.1.2.1 and 5.2; RFC 9449, section 5).
  private static let codesBesideTheGrant: Set<String> = [
    "invalid_client", "unauthorized_client", "server_error", "internal_server_error", "temporarily_unavailable",
    "slow_down", "use_dpop_nonce", "invalid_dpop_proof",
  ]
}
