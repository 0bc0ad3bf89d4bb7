public import FoundationEssentials

extension TokenPair {
  /// Creates a pair from a server's response to a login.
  ///
  /// - Parameters:
  ///   - sentAt: when the request was sent; lifetimes count from that time, so that a slow response never makes a token
  ///     appear to live longer than it does.
  ///   - serverDate: the response's `Date`, used to correct a JWT's `exp`.
  ///   - lifetime: the access token's lifetime if neither the response nor the token states it.
  ///   - clock: the clock readings when the request was sent; if the server's clock differs, the dates follow the
  ///     server's clock.
  package init(
    _ response: TokenResponse, sentAt: Date, serverDate: Date?, lifetime: Duration?, server: Server?,
    clock: IssuanceClock? = nil
  ) {
    let sentAt = sentAt.addingTimeInterval(clock?.serverOffset ?? 0)
    let idToken = response.idToken.flatMap { JSONWebToken(unverified: $0) }
    self.init(
      accessToken: response.accessToken, refreshToken: response.refreshToken, tokenType: response.tokenType,
      expiresAt: Expiry.accessToken(response, sentAt: sentAt, serverDate: serverDate, lifetime: lifetime),
      refreshExpiresAt: response.refreshExpiresIn.map { sentAt.addingTimeInterval($0) }, scope: response.scope,
      subject: response.subject ?? idToken?.claims["sub"]?.string,
      issuedAt: sentAt, server: server)
    idTokenClaims = idToken?.storedClaims
    self.clock = clock
  }

  /// Returns this pair after a refresh: values that the response does not contain are unchanged.
  ///
  /// A response without `refresh_token` keeps the old one (RFC 6749, section 6), a response without `scope` the old
  /// scope.
  package func refreshed(
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
    pair.idTokenClaims = pair.idTokenClaims ?? idTokenClaims
    if response.refreshToken == nil || response.refreshToken == refreshToken {
      pair.refreshToken = refreshToken
      pair.refreshExpiresAt = pair.refreshExpiresAt ?? refreshExpiresAt
    }
    return pair
  }

  /// Whether the tokens and their properties are the same, regardless of when they were obtained. The state of the
  /// local clock is compared as well, so that a doubt about it does not persist.
  func holdsTheSame(as other: TokenPair) -> Bool {
    guard localClock == other.localClock else { return false }
    var same = self
    same.clock = other.clock
    same.issuedAt = other.issuedAt
    same.lastRefresh = other.lastRefresh
    same.change = other.change
    same.refreshBegan = other.refreshBegan
    same.refusedAt = other.refusedAt
    same.apiRefusal = other.apiRefusal
    return same == other
  }

  /// Returns the requested scope words that were not granted; empty if the server did not report the granted scope.
  public func missingScope(of asked: [String]) -> [String] {
    guard let granted = scope else { return [] }
    // Servers that grant offline access by a refresh token often omit it from the scope.
    return asked.filter { !granted.contains($0) && !($0 == "offline_access" && refreshToken != nil) }
  }

  /// Whether the session has ended: the API refused the access token, and the server the refresh token.
  public var isDead: Bool { accessTokenRefusedAt != nil && lastError?.final == true }

  /// Whether the refresh token may still be sent: it exists, it has not been refused, and its remaining validity
  /// exceeds `margin`.
  public func canRefresh(at now: Date, margin: Duration) -> Bool {
    guard refreshToken != nil, lastError?.final != true else { return false }
    return refreshRemaining(at: now).map { $0 > margin.seconds } ?? true
  }

  /// The message that the server has refused the refresh token; nil unless it has.
  var refusal: String? {
    guard let failure = lastError, failure.final else { return nil }
    return "the server has refused the refresh token (\(Escaped.text(failure.error, limit: 80)))"
  }

  /// Returns the reason why the refresh token must not be sent; nil if it may be sent.
  ///
  /// - Parameter margin: treat it as expired this long before its expiry. If zero, an expired token is sent, because
  ///   only the local clock indicates that it has expired.
  func objection(margin: Duration, at now: Date) -> (why: String, reason: LoginReason)? {
    guard refreshToken != nil else { return ("there is no refresh token", .noRefreshToken) }
    if let refusal { return (refusal, .refused) }
    guard isWithin(refreshTokenMargin: margin, at: now) else { return nil }
    let hasExpired = refreshRemaining(at: now).map { $0 <= 0 } ?? false
    return (
      "the refresh token has expired or expires within the refresh token margin", hasExpired ? .expired : .margin
    )
  }

  /// Whether the refresh token counts as expired because of a profile's margin and must not be sent.
  ///
  /// Without a margin the server decides, because only the local clock indicates that the token has expired.
  func isWithin(refreshTokenMargin margin: Duration, at now: Date) -> Bool {
    guard margin > .zero, let remaining = refreshRemaining(at: now) else { return false }
    return remaining <= margin.seconds
  }
}

extension TokenPair {
  /// Creates a pair from a server's response to a login.
  ///
  /// - Parameter sentAt: when the request was sent; lifetimes count from there.
  public init(_ response: TokenResponse, sentAt: Date = Date()) {
    self.init(response, sentAt: sentAt, serverDate: nil, lifetime: nil, server: nil)
  }

  /// Returns this pair after a refresh: values that the response does not contain are unchanged.
  ///
  /// - Parameter sentAt: when the request was sent; lifetimes count from there.
  public func refreshed(by response: TokenResponse, sentAt: Date = Date()) -> TokenPair {
    refreshed(by: response, sentAt: sentAt, serverDate: nil, lifetime: nil)
  }
}
