import FoundationEssentials

/// What the claims of an ID token must say (OpenID Connect Core, section 3.1.3.7).
struct IDTokenCheck: Sendable {
  /// The issuer that it must be of; nil where the profile names none.
  var issuer: String?
  /// The client that it must be for.
  var clientID: String
  /// The nonce of the authorization request; nil where there was no such request.
  var nonce: String?
  /// The access token that came with it, for `at_hash`.
  var accessToken: Secret?
  /// The authorization code that it was got for, for `c_hash`.
  var code: Secret?
  /// How long ago the person may have logged in, in seconds, where `max_age` was asked for.
  var maxAge: Double?
  /// The time.
  var now: Date

  /// Clocks differ: so many seconds are forgiven.
  static let leeway = 300.0

  /// - Returns: why the token is not to be believed, to be put after "the ID token "; nil where it is.
  func reasonToRefuse(_ token: SignedToken) -> String? {
    let claims = token.claims
    if let issuer, claims["iss"]?.string != issuer { return "is from a different issuer" }
    guard claims["sub"]?.string?.isEmpty == false else { return "does not say who is logged in (sub)" }
    return IDTokenCheck.audienceFault(claims, clientID: clientID) ?? timeFault(claims) ?? bindingFault(token)
  }

  /// Items 3 to 5: who the token is for. One for several parties must say that this client got it.
  static func audienceFault(_ claims: JSONValue, clientID: String) -> String? {
    guard let audience = claims["aud"]?.strings, audience.contains(clientID) else { return "is for another client" }
    if let party = claims["azp"]?.string {
      guard party == clientID else { return "is for another client (azp)" }
    } else if Set(audience).count > 1 {
      return "is for several clients and does not say which one got it (azp)"
    }
    return nil
  }

  /// Items 9, 10 and 13.
  private func timeFault(_ claims: JSONValue) -> String? {
    let time = now.timeIntervalSince1970
    guard let exp = claims["exp"]?.lenientNumber else { return "has no expiry" }
    guard exp > time - IDTokenCheck.leeway else { return "has expired" }
    guard let issued = claims["iat"]?.lenientNumber else { return "does not say when it was issued (iat)" }
    guard issued < time + IDTokenCheck.leeway else { return "is from the future (iat): check this machine's clock" }
    if let start = claims["nbf"]?.lenientNumber, start > time + IDTokenCheck.leeway {
      return "is not valid yet (nbf): check this machine's clock"
    }
    guard let maxAge else { return nil }
    // 0 is what some servers write where they do not know.
    guard let login = claims["auth_time"]?.lenientNumber, login != 0 else {
      return "does not say when the person logged in (auth_time), although max_age asks for it"
    }
    return time - login > maxAge + IDTokenCheck.leeway ? "is from a login older than max_age allows" : nil
  }

  /// Item 11, and section 3.1.3.6: what ties the token to this login and to what came with it.
  private func bindingFault(_ token: SignedToken) -> String? {
    if let nonce, token.claims["nonce"]?.string != nonce { return "belongs to a different login (nonce mismatch)" }
    if !matches(token, "at_hash", accessToken) { return "belongs to another access token (at_hash)" }
    if !matches(token, "c_hash", code) { return "belongs to another authorization code (c_hash)" }
    return nil
  }

  private func matches(_ token: SignedToken, _ claim: String, _ secret: Secret?) -> Bool {
    guard let stated = token.claims[claim], let secret else { return true }
    return stated.string.map { token.algorithm.leftHalfHashes(secret.exposed).contains($0) } ?? false
  }
}
