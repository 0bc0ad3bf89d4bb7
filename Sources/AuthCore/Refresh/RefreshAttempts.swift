/// Sends a refresh request to a server and retries transient failures. Interprets refusals in the same way for each
/// kind of server.
struct RefreshAttempts: Sendable {
  let profile: Profile
  let connection: ServerConnection
  /// The pause before a failed request is retried.
  let pause: Duration
  /// The target of the request, in a form that may be shown.
  let place: String
  /// Whether the request contains a refresh token, which can be dead.
  let sendsRefreshToken: Bool
  /// The hint if the server refuses the client.
  let clientHint: String
  /// Whether a login has chosen the client, so that another login replaces a client that the server refuses.
  var isClientOfLogin = false

  private static let attempts = 3
  /// The maximum number of lost responses. The server may have accepted the refresh token the first time, and the
  /// second attempt is within the grace period that many servers allow.
  private static let lostResponses = 2
  private static let kept = "nothing is lost, the tokens are kept"

  /// Sends the request, and retries it after transient failures within the timeout of a whole request.
  ///
  /// - Throws: ``RefreshFailure/refreshTokenDead(_:_:)`` if the server refuses the refresh token permanently.
  func send(
    _ ask: @Sendable () async throws(TokenEndpoint.Failure) -> TokenEndpoint.Response
  ) async throws(RefreshFailure) -> TokenEndpoint.Response {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: profile.network.timeout ?? ServerConnection.standardTimeout)
    var attempt = 1
    var lost = 0
    while true {
      do throws(TokenEndpoint.Failure) {
        return try await ask()
      } catch {
        guard case .unavailable(let failure) = error else { throw refusal(error, isUncertain: lost > 0) }
        if failure.mayHaveArrived { lost += 1 }
        let pause = max(self.pause.seconds, failure.retryAfter ?? 0)
        let resumes = clock.now.advanced(by: .milliseconds(Int(min(pause, 3600) * 1000)))
        guard attempt < RefreshAttempts.attempts, lost < RefreshAttempts.lostResponses, resumes < end else {
          throw unavailable(failure, isUncertain: lost > 0)
        }
        connection.events(.retrying(reason: failure.reason, pause: pause))
        // The task of a refresh is never cancelled; if it were, continuing at once would be harmless.
        try? await clock.sleep(until: resumes)
        attempt += 1
      }
    }
  }

  private func refusal(_ failure: TokenEndpoint.Failure, isUncertain: Bool) -> RefreshFailure {
    let what = profile.refreshWords
    switch failure {
    case .refused(let response) where isClientOfLogin && response.isUnknownClient:
      return .other(
        .loginRequired(
          what, why: "\(place) returned \(response.words): the server no longer accepts the registered client",
          remedy: .logIn(session: profile.name.string), serverError: response.error,
          serverErrorDescription: response.errorDescription))
    // Client credentials and similar grants have no refresh token that could be dead: the server refuses the client.
    case .refused(let response),
      .invalidGrant(let response) where !sendsRefreshToken:
      return .other(
        .refused(
          response.explanation(what, at: place, hint: response.hint(in: profile.flow, client: clientHint))))
    case .invalidGrant(let response):
      let code = response.code
      let why =
        "the server refuses the refresh token (\(response.words))"
        + (isUncertain ? ", after the response to the previous request was lost" : "")
      return .refreshTokenDead(
        code,
        .init(
          what, why: why, remedy: .logIn(session: profile.name.string), serverError: code,
          serverErrorDescription: response.errorDescription))
    case .malformed(let reason):
      return .uncertain(
        .refused(what, why: reason, hint: Profile.endpointHint))
    case .contended(let reason):
      return .contended(
        .tryLater(what, why: reason, hint: (profile.isOnDemand ? "" : "\(RefreshAttempts.kept); ") + "try again"))
    case .local(let error):
      return isUncertain ? .uncertain(error) : .other(error)
    case .unavailable(let failure):
      return unavailable(failure, isUncertain: isUncertain || failure.mayHaveArrived)
    }
  }

  /// Creates the failure for an unavailable server. A lost response may have been a success that used up a single-use
  /// refresh token.
  private func unavailable(_ failure: TokenEndpoint.Unavailability, isUncertain: Bool) -> RefreshFailure {
    let error = AuthError.tryLater(
      profile.refreshWords, why: failure.reason,
      hint: profile.isOnDemand
        ? ""
        : isUncertain
          ? "the tokens are kept; log in if the server refuses them at the next attempt" : RefreshAttempts.kept,
      remedy: .tryAgain(after: failure.retryAfter))
    if isUncertain { return .uncertain(error) }
    return failure.retryAfter.map { .unavailable(error, retryAfter: $0) } ?? .other(error)
  }
}

extension Profile {
  /// What a refresh does, for messages.
  var refreshWords: String {
    isOnDemand ? "requesting a token for \(name)" : "refreshing the token of \(name)"
  }
}
