import FoundationEssentials

/// The stored form in the keyring: a JSON object. Its first members are a stable interface for scripts.
extension TokenPair: Codable {
  /// The version of the stored form that is written and read.
  static let version = 1

  enum CodingKeys: String, CodingKey, CaseIterable {
    case version
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case tokenType = "token_type"
    case expiresAt = "expires_at"
    case refreshExpiresAt = "refresh_expires_at"
    case scope
    case subject
    case idTokenClaims = "id_token_claims"
    case issuedAt = "issued_at"
    case loggedInAt = "logged_in_at"
    case lastRefresh = "last_refresh"
    case refreshedBy = "refreshed_by"
    case lastError = "last_error"
    case refusedAt = "refused_at"
    case accessTokenRefusedAt = "access_token_refused_at"
    case apiRefusal = "api_refusal"
    case refreshBegan = "renewal_began"
    case sessionID = "session_id"
    case flow
    case server
    case dpopThumbprint = "dpop_jkt"
    case clock
    case change
  }

  /// The stored form has a version that this program does not support.
  struct UnknownVersion: Error {
    let version: Int
  }

  /// Reads the stored form.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let version = try values.decode(Int.self, forKey: .version)
    guard version == TokenPair.version else { throw UnknownVersion(version: version) }
    accessToken = Secret(try values.decode(String.self, forKey: .accessToken))
    refreshToken = try values.decodeIfPresent(String.self, forKey: .refreshToken).map { Secret($0) }
    tokenType = try values.decode(String.self, forKey: .tokenType)
    expiresAt = try values.decodeIfPresent(Date.self, forKey: .expiresAt)
    refreshExpiresAt = try values.decodeIfPresent(Date.self, forKey: .refreshExpiresAt)
    scope = try values.decodeIfPresent(String.self, forKey: .scope)?.scopeWords
    subject = try values.decodeIfPresent(String.self, forKey: .subject)
    idTokenClaims = try values.decodeIfPresent(String.self, forKey: .idTokenClaims)
    issuedAt = try values.decode(Date.self, forKey: .issuedAt)
    loggedInAt = try values.decode(Date.self, forKey: .loggedInAt)
    lastRefresh = try values.decodeIfPresent(Date.self, forKey: .lastRefresh)
    lastError = try values.decodeIfPresent(Failure.self, forKey: .lastError)
    refusedAt = try values.decodeIfPresent(Date.self, forKey: .refusedAt)
    accessTokenRefusedAt = try values.decodeIfPresent(Date.self, forKey: .accessTokenRefusedAt)
    // Only for information: an unknown form is ignored, here and below.
    apiRefusal = try? values.decodeIfPresent(Refusal.self, forKey: .apiRefusal)
    refreshBegan = try values.decodeIfPresent(Date.self, forKey: .refreshBegan)
    sessionID = try values.decodeIfPresent(String.self, forKey: .sessionID)
    flow = try values.decodeIfPresent(String.self, forKey: .flow)
    server = try values.decodeIfPresent(Server.self, forKey: .server)
    dpopThumbprint = try values.decodeIfPresent(String.self, forKey: .dpopThumbprint)
    clock = try values.decodeIfPresent(IssuanceClock.self, forKey: .clock)
    change = try values.decodeIfPresent(Change.self, forKey: .change)
    // Earlier versions recorded the background process of a refresh separately.
    if let former = try? values.decodeIfPresent(RefreshingProcess.self, forKey: .refreshedBy), former.isInBackground {
      change?.process.isInBackground = true
    }
  }

  /// Writes the stored form.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(TokenPair.version, forKey: .version)
    try values.encode(accessToken.exposed, forKey: .accessToken)
    try values.encodeIfPresent(refreshToken?.exposed, forKey: .refreshToken)
    try values.encode(tokenType, forKey: .tokenType)
    try values.encodeIfPresent(expiresAt, forKey: .expiresAt)
    try values.encodeIfPresent(refreshExpiresAt, forKey: .refreshExpiresAt)
    try values.encodeIfPresent(scope?.joined(separator: " "), forKey: .scope)
    try values.encodeIfPresent(subject, forKey: .subject)
    try values.encodeIfPresent(idTokenClaims, forKey: .idTokenClaims)
    try values.encode(issuedAt, forKey: .issuedAt)
    try values.encode(loggedInAt, forKey: .loggedInAt)
    try values.encodeIfPresent(lastRefresh, forKey: .lastRefresh)
    try values.encodeIfPresent(lastError, forKey: .lastError)
    try values.encodeIfPresent(refusedAt, forKey: .refusedAt)
    try values.encodeIfPresent(accessTokenRefusedAt, forKey: .accessTokenRefusedAt)
    try values.encodeIfPresent(apiRefusal, forKey: .apiRefusal)
    try values.encodeIfPresent(refreshBegan, forKey: .refreshBegan)
    try values.encodeIfPresent(sessionID, forKey: .sessionID)
    try values.encodeIfPresent(flow, forKey: .flow)
    try values.encodeIfPresent(server, forKey: .server)
    try values.encodeIfPresent(dpopThumbprint, forKey: .dpopThumbprint)
    try values.encodeIfPresent(clock, forKey: .clock)
    try values.encodeIfPresent(change, forKey: .change)
  }

  /// Returns the pair as the secret of a keyring item.
  func stored() throws -> Secret { try Secret(encoding: self) }

  /// Reads the result of ``stored()``.
  init(stored secret: Secret) throws {
    try self.init(StoredObject(JSONValue(parsing: secret.exposed.utf8)))
  }
}
