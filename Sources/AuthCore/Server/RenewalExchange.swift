/// Asks a server for a renewal: again where it fails for a moment, and with one meaning of its refusals whatever the
/// kind of server.
struct RenewalExchange: Sendable {
  let profile: Profile
  let connection: ServerConnection
  /// How long to wait before a request that failed is sent once more.
  let pause: Duration
  /// Where the request goes, as it may be shown.
  let place: String
  /// Whether a refresh token is sent, which can be dead.
  let sendsRefreshToken: Bool
  /// What to try where the server refuses the client; nil where its word is all there is.
  let hint: @Sendable (ErrorResponse) -> String?

  private static let attempts = 3

  /// A server that fails for a moment is asked again within the time that a request may take as a whole.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` with the server's code where the refresh token is dead.
  func answer(
    _ ask: @Sendable () async throws(TokenEndpoint.Failure) -> TokenEndpoint.Answer
  ) async throws(AuthError) -> TokenEndpoint.Answer {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: profile.network.timeout ?? ServerConnection.standardTimeout)
    var attempt = 1
    while true {
      do throws(TokenEndpoint.Failure) {
        return try await ask()
      } catch {
        guard case .unavailable(let reason, let retryAfter, let mayHaveArrived) = error else {
          throw refusal(error)
        }
        let pause = max(self.pause.seconds, retryAfter ?? 0)
        let resumes = clock.now.advanced(by: .milliseconds(Int(min(pause, 3600) * 1000)))
        guard attempt < RenewalExchange.attempts, resumes < end else {
          throw unavailable(reason, retryAfter, mayHaveArrived)
        }
        connection.events(.retrying(reason: reason, pause: pause))
        // The task of a renewal is never cancelled; were it, going on at once would do no harm.
        try? await clock.sleep(until: resumes)
        attempt += 1
      }
    }
  }

  private func refusal(_ failure: TokenEndpoint.Failure) -> AuthError {
    let what = "renewing the token of \(profile.name)"
    let standardHint = "the server's word says what to mend in the profile"
    switch failure {
    case .invalidGrant(let response) where !sendsRefreshToken:
      // Client credentials and the like: there is no refresh token to be dead, it is the client that is refused.
      return .refused(
        .init(
          what, why: "\(place) answers \(response.words)", hint: hint(response) ?? standardHint,
          serverError: response.error))
    case .invalidGrant(let response):
      return .loginRequired(
        .init(
          what, why: "the server refuses the refresh token (\(response.words))",
          hint: "run: authctl login \(profile.name)", serverError: response.error ?? "invalid_grant"))
    case .refused(let response):
      let hint = response.isInvalidClient ? self.hint(response) : nil
      return .refused(
        .init(
          what, why: "\(place) answers \(response.words)", hint: hint ?? standardHint, serverError: response.error))
    case .malformed(let reason):
      return .refused(
        .init(what, why: reason, hint: "check where the profile sends it, or ask who runs the server"))
    case .local(let error):
      return error
    case .unavailable(let reason, let retryAfter, let mayHaveArrived):
      return unavailable(reason, retryAfter, mayHaveArrived)
    }
  }

  /// An answer that was lost on its way may have been a success: then a one-use refresh token is spent.
  private func unavailable(_ reason: String, _ retryAfter: Double?, _ mayHaveArrived: Bool) -> AuthError {
    let wait = retryAfter.map { "in \(DurationText.describe($0.rounded(.up)))" } ?? "later"
    return .tryLater(
      .init(
        "renewing the token of \(profile.name)", why: reason,
        hint: mayHaveArrived
          ? "the tokens are kept; try again \(wait), and log in if the server then refuses them"
          : "nothing is lost: the tokens are kept; try again \(wait)"))
  }
}
