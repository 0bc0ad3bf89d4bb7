import FoundationEssentials

/// Renews a pair at an OAuth 2.0 authorization server (RFC 6749, section 6).
public struct OAuthRenewal: TokenRenewal {
  private let server: AuthorizationServer
  private let pause: Duration

  private static let attempts = 3

  /// Renews at the server of a profile.
  ///
  /// - Parameter pause: how long to wait before a request that failed is sent once more: more than a second, since some
  ///   servers clash over two tokens made in the same one.
  public init(_ server: AuthorizationServer, pause: Duration = .milliseconds(1200)) {
    self.server = server
    self.pause = pause
  }

  private var profile: Profile { server.profile }
  private var now: Date { server.connection.now() }

  public func canRenew(_ pair: TokenPair) -> Bool {
    guard isOfThisServer(pair) else { return false }
    if pair.refreshToken == nil { return pair.flow == Flow.clientCredentials.rawValue }
    return pair.canRefresh(at: now, margin: profile.refreshTokenMargin)
  }

  public func renew(_ pair: TokenPair) async throws(RenewalFailure) -> TokenPair {
    do throws(AuthError) {
      try check(pair)
      let endpoint = try await endpoint(for: pair)
      let answer = try await exchange(pair, at: endpoint)
      return pair.renewed(
        by: try checked(answer.response, after: pair, server), sentAt: answer.sentAt, serverDate: answer.serverDate,
        lifetime: profile.accessTokenLifetime)
    } catch {
      guard case .loginRequired(let explanation) = error, let code = explanation.serverError else {
        throw .other(error)
      }
      throw .refreshTokenDead(code, explanation)
    }
  }

  private func check(_ pair: TokenPair) throws(AuthError) {
    guard isOfThisServer(pair) else {
      throw loginRequired("its issuer or client has changed in the profile since the login")
    }
    guard !canRenew(pair) else { return }
    if let failure = pair.lastError, failure.final {
      throw loginRequired("the server has refused the refresh token (\(Printable.text(failure.error, limit: 80)))")
    }
    throw loginRequired(
      pair.refreshToken == nil
        ? "there is no refresh token to renew the access token with" : "the refresh token has expired")
  }

  /// A refresh token is never sent to another server than the one that issued it; without an issuer, the origin of the
  /// token endpoint says which one that is.
  private func isOfThisServer(_ pair: TokenPair) -> Bool {
    guard let issued = pair.server else { return true }
    guard issued.issuer == profile.issuer, issued.clientID == profile.clientID else { return false }
    guard issued.issuer == nil, let text = issued.tokenEndpoint, let known = try? WebURL(text),
      let stated = profile.endpoints.token
    else { return true }
    return known.origin == stated.origin
  }

  /// The endpoint that issued the pair needs no discovery; the profile's word goes before it.
  private func endpoint(for pair: TokenPair) async throws(AuthError) -> TokenEndpoint {
    let secret = try await server.clientSecret()
    let server = try await server.holdingKey(of: pair)
    if profile.endpoints.token == nil, let known = pair.server?.tokenEndpoint.flatMap({ try? WebURL($0) }) {
      return server.tokenEndpoint(at: known, secret: secret)
    }
    let metadata = profile.endpoints.token == nil ? try await server.metadata() : nil
    return try server.tokenEndpoint(metadata, secret: secret)
  }

  private func grant(_ pair: TokenPair) -> [(name: String, value: String)] {
    guard let refreshToken = pair.refreshToken else { return Login.clientCredentialsGrant(profile) }
    return [("grant_type", "refresh_token"), ("refresh_token", refreshToken.exposed)]
      + profile.resource.map { ("resource", $0) }
      + profile.parameters.refresh.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// A server that fails for a moment is asked again within the time that a request may take as a whole.
  private func exchange(_ pair: TokenPair, at endpoint: TokenEndpoint) async throws(AuthError) -> TokenEndpoint.Answer {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: profile.network.timeout ?? ServerConnection.standardTimeout)
    var attempt = 1
    while true {
      do throws(TokenEndpoint.Failure) {
        return try await endpoint.request(grant(pair))
      } catch {
        guard case .unavailable(let reason, let retryAfter, let mayHaveArrived) = error else {
          throw refusal(error, of: pair, at: endpoint)
        }
        let pause = max(self.pause.seconds, retryAfter ?? 0)
        let resumes = clock.now.advanced(by: .milliseconds(Int(min(pause, 3600) * 1000)))
        guard attempt < OAuthRenewal.attempts, resumes < end else {
          throw unavailable(reason, retryAfter, mayHaveArrived)
        }
        server.connection.events(.retrying(reason: reason, pause: pause))
        // The task of a renewal is never cancelled; were it, going on at once would do no harm.
        try? await clock.sleep(until: resumes)
        attempt += 1
      }
    }
  }

  private func refusal(_ failure: TokenEndpoint.Failure, of pair: TokenPair, at endpoint: TokenEndpoint) -> AuthError {
    let what = "renewing the token of \(profile.name)"
    switch failure {
    case .invalidGrant(let response) where pair.refreshToken == nil:
      // Client credentials: there is no refresh token to be dead, it is the client that is refused.
      return .refused(
        .init(
          what, why: "\(endpoint.url) answers \(response.words)", hint: endpoint.client.hint,
          serverError: response.error))
    case .invalidGrant(let response):
      return .loginRequired(
        .init(
          what, why: "the server refuses the refresh token (\(response.words))",
          hint: "run: authctl login \(profile.name)", serverError: response.error ?? "invalid_grant"))
    case .refused(let response):
      let hint = response.isInvalidClient ? endpoint.client.hint : "the server's word says what to mend in the profile"
      return .refused(
        .init(what, why: "\(endpoint.url) answers \(response.words)", hint: hint, serverError: response.error))
    case .malformed(let reason):
      return .refused(
        .init(what, why: reason, hint: "check the token endpoint in the profile, or ask who runs the server"))
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

  private func loginRequired(_ why: String) -> AuthError {
    .loginRequired(.init("profile \(profile.name)", why: why, hint: "run: authctl login \(profile.name)"))
  }
}
