/// Refreshes a pair with the request `[requests.refresh]` from a profile.
package struct CustomRefresher: ConnectingRefresher {
  private let profile: Profile
  private let server: CustomServer
  private let connection: ServerConnection
  private let pause: Duration

  /// Creates a refresher for the server of a profile.
  ///
  /// - Parameter pause: the pause before a failed request is retried.
  package init(
    _ profile: Profile, server: CustomServer, connection: ServerConnection, pause: Duration = .milliseconds(1200)
  ) {
    self.profile = profile
    self.server = server
    self.connection = connection
    self.pause = pause
  }

  package func canRefresh(_ pair: TokenPair) -> Bool {
    guard let request = server.refresh, pair.server?.change(in: profile) == nil else { return false }
    guard CustomRefresher.sendsRefreshToken(request) else { return pair.lastError?.final != true }
    return pair.canRefresh(at: connection.now(), margin: profile.refreshTokenMargin)
  }

  package func refresh(
    _ pair: TokenPair, beginning begin: @escaping @Sendable () async throws(AuthError) -> Void
  ) async throws(RefreshFailure) -> TokenPair {
    let request = try checked(pair)
    let values = RequestValues(pair)
    let transfer: Transfer
    do throws(AuthError) {
      transfer = try await request.filled(values)
    } catch {
      throw .other(error)
    }
    var connection = connection
    connection.beforeSending = begin
    let exchange = CustomEndpoint(server: server, connection: connection)
    let refresher = RefreshAttempts(
      profile: profile, connection: connection, pause: pause, place: exchange.shown(transfer, values),
      sendsRefreshToken: true, clientHint: CustomServer.refreshHint)
    let response: TokenEndpoint.Response
    do throws(RefreshFailure) {
      response = try await refresher.send { () async throws(TokenEndpoint.Failure) in
        try await exchange.tokens(transfer, values)
      }
    } catch {
      // If the profile lists the error codes for a dead refresh token, no other code has this meaning.
      let hasExpired = !canRefresh(pair) && server.response.loginRequiredCodes.isEmpty
      throw hasExpired ? error.asExpired : error
    }
    return pair.refreshed(
      by: response.tokens.stating(refreshTokenLifetime: profile.refreshTokenLifetime, after: pair.refreshToken),
      sentAt: response.sentAt, serverDate: response.serverDate, lifetime: profile.accessTokenLifetime,
      clock: response.clock)
  }

  package func validate(_ pair: TokenPair) throws(AuthError) {
    try pair.proveIssued(byServerOf: profile)
  }

  package func check(_ pair: TokenPair) throws(RefreshFailure) {
    _ = try checked(pair)
  }

  private static func sendsRefreshToken(_ request: CustomRequest) -> Bool {
    request.placeholders.contains { $0.name == "refresh_token" && !$0.isOptional }
  }

  /// Checks that a request may be sent.
  private func checked(_ pair: TokenPair) throws(RefreshFailure) -> CustomRequest {
    guard let request = server.refresh else {
      throw loginRequired(CustomServer.missingRefresh, .noRefreshToken)
    }
    do throws(AuthError) { try validate(pair) } catch { throw .other(error) }
    guard CustomRefresher.sendsRefreshToken(request) else {
      if let refusal = pair.refusal { throw loginRequired(refusal, .refused) }
      return request
    }
    if let (why, reason) = pair.objection(margin: profile.refreshTokenMargin, at: connection.now()) {
      throw loginRequired(why, reason)
    }
    return request
  }

  private func loginRequired(_ why: String, _ reason: LoginReason) -> RefreshFailure {
    .other(.mustLogIn(to: profile.name.string, why: why, reason))
  }
}
