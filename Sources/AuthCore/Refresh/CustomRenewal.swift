/// Renews a pair by the request `[requests.refresh]` of a profile.
public struct CustomRenewal: TokenRenewal {
  private let profile: Profile
  private let server: CustomServer
  private let connection: ServerConnection
  private let pause: Duration

  /// Renews at the server of a profile.
  ///
  /// - Parameter pause: how long to wait before a request that failed is sent once more.
  public init(
    _ profile: Profile, server: CustomServer, connection: ServerConnection, pause: Duration = .milliseconds(1200)
  ) {
    self.profile = profile
    self.server = server
    self.connection = connection
    self.pause = pause
  }

  public func canRenew(_ pair: TokenPair) -> Bool {
    guard let request = server.refresh, pair.server?.change(in: profile) == nil else { return false }
    guard CustomRenewal.sendsRefreshToken(request) else { return pair.lastError?.final != true }
    return pair.canRefresh(at: connection.now(), margin: profile.refreshTokenMargin)
  }

  public func renew(_ pair: TokenPair) async throws(RenewalFailure) -> TokenPair {
    let request = try checked(pair)
    let values = RequestValues(pair)
    let transfer: Transfer
    do throws(AuthError) {
      transfer = try await request.filled(values)
    } catch {
      throw .other(error)
    }
    let exchange = CustomExchange(server: server, connection: connection)
    let renewal = RenewalExchange(
      profile: profile, connection: connection, pause: pause, place: exchange.shown(transfer, values),
      sendsRefreshToken: true, clientHint: "check [requests.refresh] in the profile")
    let answer: TokenEndpoint.Answer
    do throws(RenewalFailure) {
      answer = try await renewal.answer { () async throws(TokenEndpoint.Failure) in
        try await exchange.tokens(transfer, values)
      }
    } catch {
      // Where the profile names the codes of a dead refresh token, no other one is taken for that.
      let isPastItsTime = !canRenew(pair) && server.response.loginRequiredCodes.isEmpty
      throw isPastItsTime ? error.pastItsTime : error
    }
    return pair.renewed(
      by: answer.response.stating(refreshTokenLifetime: profile.refreshTokenLifetime, after: pair.refreshToken),
      sentAt: answer.sentAt, serverDate: answer.serverDate, lifetime: profile.accessTokenLifetime, clock: answer.clock)
  }

  public func validate(_ pair: TokenPair) throws(AuthError) {
    try pair.proveIssued(byServerOf: profile)
  }

  public func check(_ pair: TokenPair) throws(RenewalFailure) {
    _ = try checked(pair)
  }

  private var margin: Duration { profile.refreshTokenMargin }

  private static func sendsRefreshToken(_ request: CustomRequest) -> Bool {
    request.placeholders.contains { $0.name == "refresh_token" && !$0.isOptional }
  }

  /// Checks that a request may be sent. An expired refresh token is sent unless the profile has a margin: only the local
  /// clock says that it has expired.
  private func checked(_ pair: TokenPair) throws(RenewalFailure) -> CustomRequest {
    guard let request = server.refresh else {
      throw loginRequired("the profile has no [requests.refresh]")
    }
    do throws(AuthError) { try validate(pair) } catch { throw .other(error) }
    guard pair.refreshToken != nil || !CustomRenewal.sendsRefreshToken(request) else {
      throw loginRequired("there is no refresh token")
    }
    if let failure = pair.lastError, failure.final {
      throw loginRequired("the server has refused the refresh token (\(Printable.text(failure.error, limit: 80)))")
    }
    guard !CustomRenewal.sendsRefreshToken(request) || !pair.isWithin(refreshTokenMargin: margin, at: connection.now())
    else { throw loginRequired(TokenPair.expiredByMargin) }
    return request
  }

  private func loginRequired(_ why: String) -> RenewalFailure {
    .other(.loginRequired(.init("profile \(profile.name)", why: why, remedy: .logIn(session: profile.name.string))))
  }
}
