import FoundationEssentials

/// Renews a pair at an OAuth 2.0 authorization server (RFC 6749, section 6).
public struct OAuthRenewal: TokenRenewal {
  private let server: AuthorizationServer
  private let pause: Duration

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
    guard pair.server?.change(in: profile) == nil else { return false }
    if pair.refreshToken == nil { return OAuthRenewal.isRepeatable(pair) }
    return pair.canRefresh(at: now, margin: profile.refreshTokenMargin)
  }

  /// The client can ask again for itself, or sign the same once more; no other grant can be repeated.
  private static func isRepeatable(_ pair: TokenPair) -> Bool {
    [Flow.clientCredentials.rawValue, Flow.jwtBearer.rawValue].contains(pair.flow)
  }

  public func renew(_ pair: TokenPair) async throws(RenewalFailure) -> TokenPair {
    try check(pair)
    let place: Place
    do throws(AuthError) {
      place = try await self.place(for: pair)
    } catch {
      throw .other(error)
    }
    let endpoint = place.endpoint
    let exchange = RenewalExchange(
      profile: profile, connection: server.connection, pause: pause, place: "\(endpoint.url)",
      sendsRefreshToken: pair.refreshToken != nil, clientHint: endpoint.client.hint)
    let answer: TokenEndpoint.Answer
    do throws(RenewalFailure) {
      answer = try await exchange.answer { () async throws(TokenEndpoint.Failure) in
        // Made anew each time: an assertion is good for one request.
        let grant: [(name: String, value: String)]
        do throws(AuthError) {
          grant = try await self.grant(pair, at: endpoint.url)
        } catch {
          throw .local(error)
        }
        return try await endpoint.request(grant)
      }
    } catch {
      throw pair.refreshToken != nil && !canRenew(pair) ? error.pastItsTime : error
    }
    if let reason = profile.objection(to: answer.response) {
      let what = "refreshing the token of \(profile.name)"
      // The access token is left alone: several servers revoke the refresh token with it (RFC 7009, section 2.1).
      throw .unusable(
        .refused(.init(what, why: reason, hint: "the session is kept; \(Profile.headerHint)")),
        keeping: pair.keepingRefreshToken(of: answer, lifetime: profile.refreshTokenLifetime))
    }
    do throws(AuthError) {
      var renewed = pair.renewed(
        by: try checked(answer.response, after: pair, server)
          .stating(refreshTokenLifetime: profile.refreshTokenLifetime, after: pair.refreshToken),
        sentAt: answer.sentAt, serverDate: answer.serverDate, lifetime: profile.accessTokenLifetime,
        clock: answer.clock)
      renewed.server = place.record
      return renewed
    } catch {
      await server.discard(answer.response, of: pair)
      throw .uncertain(error)
    }
  }

  /// Checks that a request may be sent. An expired refresh token is sent unless the profile has a margin: only the local
  /// clock says that it has expired.
  public func check(_ pair: TokenPair) throws(RenewalFailure) {
    do throws(AuthError) { try validate(pair) } catch { throw .other(error) }
    guard pair.refreshToken != nil || OAuthRenewal.isRepeatable(pair) else {
      throw loginRequired("there is no refresh token")
    }
    guard pair.refreshToken != nil else { return }
    if let failure = pair.lastError, failure.final {
      throw loginRequired("the server has refused the refresh token (\(Printable.text(failure.error, limit: 80)))")
    }
    guard pair.isWithin(refreshTokenMargin: profile.refreshTokenMargin, at: now) else { return }
    throw loginRequired(TokenPair.expiredByMargin)
  }

  public func validate(_ pair: TokenPair) throws(AuthError) { try pair.proveIssued(byServerOf: profile) }

  /// Where a pair is renewed, and with what; `record` is what the renewed pair says about it.
  private struct Place {
    let endpoint: TokenEndpoint
    let record: TokenPair.Server?
  }

  /// The endpoint that issued the pair needs no discovery; the profile's word goes before it.
  private func place(for pair: TokenPair) async throws(AuthError) -> Place {
    let keyed = try await server.holdingKey(of: pair)
    if let url = profile.endpoints.token ?? pair.server?.tokenEndpoint.flatMap({ try? WebURL($0) }) {
      let secret = try await server.clientSecret(at: url, of: pair.server)
      return Place(endpoint: keyed.tokenEndpoint(at: url, secret: secret), record: pair.server)
    }
    let metadata = try await server.metadata()
    let secret = try await server.clientSecret(at: metadata?.tokenEndpoint, of: pair.server)
    let endpoint = try keyed.tokenEndpoint(metadata, secret: secret)
    // From now on the pair is bound to this endpoint, too.
    return Place(endpoint: endpoint, record: server.record(metadata, tokenEndpoint: endpoint.url))
  }

  private func grant(_ pair: TokenPair, at endpoint: WebURL) async throws(AuthError) -> [(name: String, value: String)]
  {
    guard let refreshToken = pair.refreshToken else {
      guard pair.flow == Flow.jwtBearer.rawValue else { return Login.clientCredentialsGrant(profile) }
      let key = try await server.assertionKey(at: endpoint, of: pair.server)
      return Login.jwtBearerGrant(profile, try await server.bearerAssertion(key: key, at: endpoint))
    }
    return [("grant_type", "refresh_token"), ("refresh_token", refreshToken.exposed)]
      + profile.resource.map { ("resource", $0) }
      + Profile.Parameters.fields(profile.parameters.refresh)
  }

  private func loginRequired(_ why: String) -> RenewalFailure {
    .other(.loginRequired(.init("profile \(profile.name)", why: why, remedy: .logIn(session: profile.name.string))))
  }
}

extension TokenPair {
  /// This pair with the refresh token of a response whose access token can't be used.
  fileprivate func keepingRefreshToken(of answer: TokenEndpoint.Answer, lifetime: Duration?) -> TokenPair {
    let response = answer.response.stating(refreshTokenLifetime: lifetime, after: refreshToken)
    let renewed = renewed(
      by: response, sentAt: answer.sentAt, serverDate: answer.serverDate, lifetime: nil, clock: answer.clock)
    var pair = self
    (pair.refreshToken, pair.refreshExpiresAt) = (renewed.refreshToken, renewed.refreshExpiresAt)
    return pair
  }
}
