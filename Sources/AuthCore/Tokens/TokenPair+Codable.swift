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

  /// Reads the stored form, whatever the decoder's strategy for dates.
  public init(from decoder: any Decoder) throws {
    try self.init(StoredObject(JSONValue(from: decoder)))
  }

  /// Writes the stored form, whatever the encoder's strategy for dates.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(TokenPair.version, forKey: .version)
    try values.encode(accessToken.exposed, forKey: .accessToken)
    try values.encodeIfPresent(refreshToken?.exposed, forKey: .refreshToken)
    try values.encode(tokenType, forKey: .tokenType)
    try values.encodeIfPresent(expiresAt?.rfc3339, forKey: .expiresAt)
    try values.encodeIfPresent(refreshExpiresAt?.rfc3339, forKey: .refreshExpiresAt)
    try values.encodeIfPresent(scope?.joined(separator: " "), forKey: .scope)
    try values.encodeIfPresent(subject, forKey: .subject)
    try values.encodeIfPresent(idTokenClaims, forKey: .idTokenClaims)
    try values.encode(issuedAt.rfc3339, forKey: .issuedAt)
    try values.encode(loggedInAt.rfc3339, forKey: .loggedInAt)
    try values.encodeIfPresent(lastRefresh?.rfc3339, forKey: .lastRefresh)
    try values.encodeIfPresent(lastError, forKey: .lastError)
    try values.encodeIfPresent(refusedAt?.rfc3339, forKey: .refusedAt)
    try values.encodeIfPresent(accessTokenRefusedAt?.rfc3339, forKey: .accessTokenRefusedAt)
    try values.encodeIfPresent(apiRefusal, forKey: .apiRefusal)
    try values.encodeIfPresent(refreshBegan?.rfc3339, forKey: .refreshBegan)
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
