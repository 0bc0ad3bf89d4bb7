public import FoundationEssentials

extension TokenPair {
  /// A pair made of a server's answer to a login.
  ///
  /// - Parameters:
  ///   - sentAt: when the request left; lifetimes count from there, so that a slow answer never makes a token look
  ///     longer-lived than it is.
  ///   - serverDate: the answer's `Date`, by which a JWT's `exp` is corrected.
  ///   - lifetime: the access token's life where neither the answer nor the token says it.
  ///   - clock: what the clocks showed when the request left; where the server's differs, the dates are by that one.
  public init(
    _ response: TokenResponse, sentAt: Date, serverDate: Date?, lifetime: Duration?, server: Server?,
    clock: IssuanceClock? = nil
  ) {
    let sentAt = sentAt.addingTimeInterval(clock?.serverOffset ?? 0)
    self.init(
      accessToken: response.accessToken, refreshToken: response.refreshToken, tokenType: response.tokenType,
      expiresAt: Expiry.accessToken(response, sentAt: sentAt, serverDate: serverDate, lifetime: lifetime),
      refreshExpiresAt: response.refreshExpiresIn.map { sentAt.addingTimeInterval($0) }, scope: response.scope,
      subject: response.subject ?? response.idToken.flatMap { JSONWebToken(unverified: $0)?.claims["sub"]?.string },
      issuedAt: sentAt, server: server)
    self.clock = clock
  }

  /// This pair after a renewal: what the answer does not say stays as it was.
  ///
  /// An answer without `refresh_token` keeps the old one (RFC 6749, section 6), an answer without `scope` the old scope.
  public func renewed(
    by response: TokenResponse, sentAt: Date, serverDate: Date?, lifetime: Duration?, clock: IssuanceClock? = nil
  ) -> TokenPair {
    var pair = TokenPair(
      response, sentAt: sentAt, serverDate: serverDate, lifetime: lifetime, server: server, clock: clock)
    pair.loggedInAt = loggedInAt
    pair.flow = flow
    pair.sessionID = sessionID
    pair.dpopThumbprint = dpopThumbprint
    pair.lastRefresh = pair.issuedAt
    pair.scope = response.scope ?? scope
    pair.subject = pair.subject ?? subject
    if response.refreshToken == nil || response.refreshToken == refreshToken {
      pair.refreshToken = refreshToken
      pair.refreshExpiresAt = pair.refreshExpiresAt ?? refreshExpiresAt
    }
    return pair
  }

  /// Whether the tokens and all that is known of them are the same, whenever they were got; what is known of the local
  /// clock included, lest a doubt about it never ends.
  func holdsTheSame(as other: TokenPair) -> Bool {
    guard localClock == other.localClock else { return false }
    var same = self
    same.clock = other.clock
    same.issuedAt = other.issuedAt
    same.lastRefresh = other.lastRefresh
    same.renewalBegan = other.renewalBegan
    same.refusedAt = other.refusedAt
    return same == other
  }

  /// The words of a scope that were not granted; none if the server did not say what it granted.
  public func missingScope(of asked: [String]) -> [String] {
    guard let granted = scope else { return [] }
    // Servers that grant offline access by a refresh token often leave it out.
    return asked.filter { !granted.contains($0) && !($0 == "offline_access" && refreshToken != nil) }
  }

  /// Whether the session is known to be over: the API refused the access token, and the server the refresh token.
  public var isDead: Bool { accessTokenRefusedAt != nil && lastError?.final == true }

  /// Tells whether the refresh token may still be sent: there is one, it has not been refused, and it has more than
  /// `margin` left.
  public func canRefresh(at now: Date, margin: Duration) -> Bool {
    guard refreshToken != nil, lastError?.final != true else { return false }
    return refreshRemaining(at: now).map { $0 > margin.seconds } ?? true
  }

  /// Why a refresh token within the margin is not sent.
  static let expiredByMargin = "the refresh token has expired or is about to (refresh_token_margin)"

  /// Tells whether the refresh token counts as expired because of a profile's margin and must not be sent.
  ///
  /// Without a margin the server decides: only the local clock says that the token has expired.
  func isWithin(refreshTokenMargin margin: Duration, at now: Date) -> Bool {
    guard margin > .zero, let remaining = refreshRemaining(at: now) else { return false }
    return remaining <= margin.seconds
  }
}
