/// What tokens are worth, and their end.
extension LabState {
  /// What an access token is worth now.
  func status(of accessToken: String) -> TokenStatus {
    guard let token = accessTokens[accessToken], let family = families[token.family] else { return .unknown }
    if token.isRevoked || family.isRevoked { return .revoked }
    return token.expiresAt > now ? .valid(token, family) : .expired
  }

  /// All tokens and codes that were issued since the start or the last reset of everything.
  var issuedSecrets: [String] {
    [Array(accessTokens.keys), Array(refreshTokens.keys), Array(codes.keys), Array(devices.keys)].flatMap { $0 }
  }

  /// Ends the life of all access tokens, as if their time were over.
  func expireAccessTokens() {
    let now = now
    for key in accessTokens.keys { accessTokens[key]?.expiresAt = now }
  }

  /// Revokes all families.
  func revokeAll() {
    for key in families.keys { families[key]?.isRevoked = true }
  }

  /// Revokes a token of this client: a refresh token with its family, an access token alone (RFC 7009, section 2.1).
  /// - Throws: `OAuthError` when the token belongs to another client.
  func revoke(_ token: String, client: Client) throws(OAuthError) {
    guard let number = refreshTokens[token]?.family ?? accessTokens[token]?.family else { return }
    guard families[number]?.clientID == client.id else {
      throw OAuthError("invalid_grant", "The token was issued to another client.")
    }
    if refreshTokens[token] != nil {
      families[number]?.isRevoked = true
    } else {
      accessTokens[token]?.isRevoked = true
    }
  }

  /// What RFC 7662, section 2.2 tells about a token.
  func introspect(_ token: String) -> JSONValue {
    if case .valid(let access, let family) = status(of: token) {
      return describe(family, scope: access.scope, issuedAt: access.issuedAt, expiresAt: access.expiresAt)
        .adding("token_type", "Bearer")
    }
    guard let refresh = refreshTokens[token], let family = families[refresh.family], !family.isRevoked,
      !refresh.isSpent, refresh.expiresAt > now
    else { return ["active": false] }
    return describe(family, scope: family.scope, issuedAt: refresh.issuedAt, expiresAt: refresh.expiresAt)
  }

  private func describe(_ family: TokenFamily, scope: [String], issuedAt: Double, expiresAt: Double) -> JSONValue {
    [
      "active": true, "scope": .string(scope.joined(separator: " ")), "client_id": .string(family.clientID),
      "username": .string(family.subject), "sub": .string(family.subject), "iss": .string(issuer),
      "iat": .integer(Int(issuedAt + settings.clockOffset)), "exp": .integer(Int(expiresAt + settings.clockOffset)),
    ]
  }
}
