public import FoundationEssentials

/// What is stored of a session: the access token, the refresh token, and what is known about them.
public struct TokenPair: Sendable, Equatable {
  /// The access token.
  public var accessToken: Secret
  /// The refresh token, where the server gave one.
  public var refreshToken: Secret?
  /// The type of the access token (RFC 6749, section 7.1), in the server's spelling.
  public var tokenType: String
  /// When the access token expires; nil when unknown: it is then used until the API refuses it.
  public var expiresAt: Date?
  /// When the refresh token expires; nil when unknown.
  public var refreshExpiresAt: Date?
  /// The granted scope; nil if unknown.
  public var scope: [String]?
  /// Who is logged in: `sub` of the ID token.
  public var subject: String?
  /// When this access token was obtained.
  public var issuedAt: Date
  /// When the session began: the time of the login.
  public var loggedInAt: Date
  /// When the pair was last refreshed; nil before the first refresh.
  public var lastRefresh: Date?
  /// How the last attempt to refresh failed; nil after a success.
  public var lastError: Failure?
  /// When the API refused this access token right after it was issued; nil if it did not.
  public var refusedAt: Date?
  /// When the API refused the access token after the refresh token had died; nil if that has not happened.
  public var accessTokenRefusedAt: Date?
  /// When a refresh began whose result is not known yet; nil if none is in progress.
  public var refreshBegan: Date?
  /// Tells this session from those of earlier and later logins; random.
  public var sessionID: String?
  /// How the pair was got: the word of a profile's `flow`.
  public var flow: String?
  /// The server that issued the pair; the refresh token is never sent to another one.
  public var server: Server?
  /// The thumbprint of the key to which the tokens are bound (RFC 9449, `jkt`); nil where they are bound to none.
  public var dpopThumbprint: String?
  /// What the clocks showed when the pair was issued; nil if they were not recorded.
  package var clock: IssuanceClock?
  /// What was found out about the local clock at the reading.
  var clockFinding = ClockFinding()

  /// A failed attempt to refresh.
  public struct Failure: Sendable, Equatable, Codable {
    /// The server's error code; the status of its response if it sent none.
    public var error: String
    /// The server's description of the error, at most 300 characters; nil if it sent none.
    public var description: String?
    /// When it happened.
    public var at: Date
    /// Whether the refresh token is dead by it: it is then not sent again.
    public var final: Bool

    /// Makes a failure.
    public init(error: String, description: String? = nil, at: Date, final: Bool) {
      self.error = error
      self.description = description.map { String($0.prefix(300)) }
      self.at = at
      self.final = final
    }
  }

  /// Where a pair came from.
  public struct Server: Sendable, Equatable, Codable {
    /// The issuer of discovery, where there is one.
    public var issuer: String?
    /// The client to which the tokens were issued.
    public var clientID: String
    /// The token endpoint that issued them; nil where they were got elsewhere and none is known yet.
    public var tokenEndpoint: String?
    /// The endpoint that revokes them, where there is one.
    public var revocationEndpoint: String?
    /// The origins of a server with requests of its own, to which the tokens may go; nil for other servers.
    public var origins: [String]?

    enum CodingKeys: String, CodingKey {
      case issuer
      case origins
      case clientID = "client_id"
      case tokenEndpoint = "token_endpoint"
      case revocationEndpoint = "revocation_endpoint"
    }

    /// Describes a server.
    public init(issuer: String?, clientID: String, tokenEndpoint: String?, revocationEndpoint: String?) {
      self.issuer = issuer
      self.clientID = clientID
      self.tokenEndpoint = tokenEndpoint
      self.revocationEndpoint = revocationEndpoint
    }
  }

  /// Makes a pair that begins a session now.
  public init(
    accessToken: Secret, refreshToken: Secret? = nil, tokenType: String = "Bearer", expiresAt: Date? = nil,
    refreshExpiresAt: Date? = nil, scope: [String]? = nil, subject: String? = nil, issuedAt: Date,
    server: Server? = nil
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.tokenType = tokenType
    self.expiresAt = expiresAt
    self.refreshExpiresAt = refreshExpiresAt
    self.scope = scope
    self.subject = subject
    self.issuedAt = issuedAt
    loggedInAt = issuedAt
    self.server = server
  }

  /// This pair as that of a session of its own.
  func beginning(_ sessionID: String) -> TokenPair {
    var pair = self
    pair.sessionID = sessionID
    return pair
  }
}
