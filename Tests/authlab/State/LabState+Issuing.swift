import Crypto
import Foundation

/// The making of tokens.
extension LabState {
  /// Starts a family and returns its number.
  ///
  /// - Parameters:
  ///   - acrValues: how the person should log in, the best way first.
  ///   - resources: where the tokens may be used (RFC 8707).
  func startFamily(
    subject: String, clientID: String, scope: [String], acrValues: [String] = [], resources: [String] = []
  ) -> Int {
    let number = families.count + 1
    let acr = settings.grantedAcr.isEmpty ? acrValues.first : settings.grantedAcr
    families[number] = TokenFamily(
      subject: subject, clientID: clientID, scope: scope, authenticatedAt: now, acr: acr, resources: resources)
    return number
  }

  /// Issues the first tokens of a family; `resources` are those of the access token, the family's when nil.
  /// - Throws: `CryptoKitError` when a signature can't be made.
  func issue(
    _ family: Int, withRefreshToken: Bool, nonce: String? = nil, resources: [String]? = nil
  ) throws -> TokenResponse {
    let scope = families[family]?.scope ?? []
    let access = try makeAccessToken(family, scope: scope, resources: resources ?? families[family]?.resources ?? [])
    let refresh = withRefreshToken ? makeRefreshToken(family, accessToken: access) : nil
    let idToken = scope.contains("openid") ? try makeIDToken(family, nonce: nonce, accessToken: access) : nil
    return TokenResponse(
      accessToken: access, lifetime: settings.accessLifetime, refreshToken: refresh, scope: scope, idToken: idToken)
  }

  /// Issues the next tokens of a family in the place of a refresh token.
  /// - Throws: `CryptoKitError` when a signature can't be made.
  func rotate(_ old: String, family: Int, scope: [String], resources: [String]) throws -> TokenResponse {
    let access = try makeAccessToken(family, scope: scope, resources: resources)
    var refresh: String?
    if settings.sameRefreshToken {
      refresh = old
    } else if settings.refreshTokenInRefresh {
      refreshTokens[old]?.isSpent = true
      refresh = makeRefreshToken(family, accessToken: access)
    }
    let wantsIDToken = settings.idTokenInRefresh && scope.contains("openid")
    return TokenResponse(
      accessToken: access, lifetime: settings.accessLifetime, refreshToken: refresh, scope: scope,
      idToken: wantsIDToken ? try makeIDToken(family, nonce: nil, accessToken: access) : nil)
  }

  private func makeAccessToken(_ family: Int, scope: [String], resources: [String]) throws -> String {
    let audience = settings.tokenAudience.isEmpty ? resources : [settings.tokenAudience]
    let issuedAt = now
    let expiresAt = issuedAt + settings.accessLifetime
    let isJWT = settings.jwtAccessTokens || families[family]?.clientID == Kind.enveloped.name
    let value = isJWT ? try makeJWT(family, scope: scope, audience: audience, expiresAt: expiresAt) : RandomToken.make()
    accessTokens[value] = AccessToken(
      family: family, scope: scope, audience: audience, issuedAt: issuedAt, expiresAt: expiresAt)
    return value
  }

  private func makeRefreshToken(_ family: Int, accessToken: String) -> String {
    let value = RandomToken.make()
    refreshTokens[value] = RefreshToken(
      family: family, issuedAt: now, expiresAt: now + settings.refreshLifetime, accessToken: accessToken)
    return value
  }

  /// A JWT access token (RFC 9068, section 2).
  private func makeJWT(_ family: Int, scope: [String], audience: [String], expiresAt: Double) throws -> String {
    let (subject, clientID) = (families[family]?.subject ?? "", families[family]?.clientID ?? "")
    let several = audience.count > 1 ? JSONValue.array(audience.map { .string($0) }) : nil
    let claims: JSONValue = [
      "iss": .string(issuer), "sub": .string(subject), "aud": several ?? .string(audience.first ?? clientID),
      "client_id": .string(clientID), "exp": .integer(Int(expiresAt + settings.clockOffset)),
      "iat": .integer(Int(wallClock())), "scope": .string(scope.joined(separator: " ")),
      "jti": .string(RandomToken.make()),
    ]
    return try signer.sign(claims, type: "at+jwt")
  }

  /// An ID token (OpenID Connect Core, section 2).
  private func makeIDToken(_ family: Int, nonce: String?, accessToken: String) throws -> String? {
    let fault = settings.idTokenFault
    if fault == .absent { return nil }
    if fault == .garbage { return "no.jwt" }
    let (subject, clientID) = (families[family]?.subject ?? "", families[family]?.clientID ?? "")
    let authenticatedAt = (families[family]?.authenticatedAt ?? now) + settings.clockOffset
    let audience: JSONValue =
      switch fault {
      case .wrongAudience: "another"
      case .twoAudiences: [.string(clientID), "another"]
      default: .string(clientID)
      }
    var claims: JSONValue = [
      "iss": .string(fault == .wrongIssuer ? "https://issuer.invalid" : issuer), "aud": audience,
      "sub": .string(fault == .wrongSubject ? "mallory" : subject), "iat": .integer(Int(wallClock())),
      "exp": .integer(Int(wallClock() + (fault == .expired ? -3600 : 300))),
      "auth_time": .integer(Int(authenticatedAt)),
      "at_hash": .string(leftHalfHash(fault == .wrongHash ? accessToken + "x" : accessToken)),
    ]
    if let acr = families[family]?.acr { claims = claims.adding("acr", .string(acr)) }
    if let nonce { claims = claims.adding("nonce", .string(fault == .wrongNonce ? nonce + "x" : nonce)) }
    return try signer.sign(
      claims, type: "JWT", algorithm: settings.idTokenAlgorithm, fault: fault, secret: clients[clientID]?.secret)
  }

  /// `at_hash` (OpenID Connect Core, section 3.1.3.6); Ed25519 hashes with SHA-512.
  private func leftHalfHash(_ token: String) -> String {
    let data = Data(token.utf8)
    return settings.idTokenAlgorithm == .edDSA
      ? Base64URL.encode(Array(SHA512.hash(data: data)).prefix(32))
      : Base64URL.encode(Array(SHA256.hash(data: data)).prefix(16))
  }
}
