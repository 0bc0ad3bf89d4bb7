import FoundationEssentials

/// Checks the claims of an ID token (OpenID Connect Core, section 3.1.3.7).
struct IDTokenCheck: Sendable {
  /// The required issuer; nil if the profile has none.
  var issuer: String?
  /// The required client.
  var clientID: String
  /// The nonce of the authorization request; nil if there was no such request.
  var nonce: String?
  /// The access token of the same response, for `at_hash`.
  var accessToken: Secret?
  /// The authorization code that was exchanged for it, for `c_hash`.
  var code: Secret?
  /// How long ago the user may have logged in, in seconds; nil if `max_age` was not requested.
  var maxAge: Double?
  /// The current time.
  var now: Date

  /// The tolerated clock difference in seconds.
  static let leeway = 300.0

  /// - Returns: the reason to refuse the token, as a phrase that follows "the ID token "; nil if it is valid.
  func reasonToRefuse(_ token: SignedToken) -> String? {
    let claims = token.claims
    if let issuer, !IDTokenCheck.is(claims["iss"], issuer) {
      return "is from a different issuer: \(IDTokenCheck.both(claims["iss"], issuer))"
    }
    guard claims["sub"]?.string?.isEmpty == false else { return "does not say who is logged in (sub)" }
    return IDTokenCheck.audienceFault(claims, clientID: clientID) ?? timeFault(claims) ?? bindingFault(token)
  }

  /// Checks items 3 to 5, the audience. A token for several clients must state that it was issued to this one.
  static func audienceFault(_ claims: JSONValue, clientID: String) -> String? {
    guard let audience = claims["aud"]?.strings, audience.contains(where: { $0.isEqual(toBytes: clientID) }) else {
      return "is for another client: \(both(claims["aud"], clientID))"
    }
    if let party = claims["azp"]?.string {
      guard party.isEqual(toBytes: clientID) else {
        return "is for another client (azp): \(both(claims["azp"], clientID))"
      }
    } else if Set(audience).count > 1 {
      return "is for several clients and does not say which one got it (azp)"
    }
    return nil
  }

  private static func `is`(_ claim: JSONValue?, _ wanted: String) -> Bool {
    claim?.string?.isEqual(toBytes: wanted) ?? false
  }

  /// Returns the value of a claim and the one that it must have.
  static func both(_ claim: JSONValue?, _ wanted: String) -> String {
    let stated = claim?.strings?.joined(separator: ", ")
    return "'\(Escaped.text(stated ?? "", limit: 160))', not '\(Escaped.text(wanted, limit: 160))'"
  }

  /// Checks items 9, 10 and 13, the times.
  private func timeFault(_ claims: JSONValue) -> String? {
    let time = now.timeIntervalSince1970
    guard let exp = claims["exp"]?.lenientNumber else { return "has no expiry" }
    guard exp > time - IDTokenCheck.leeway else {
      return "has expired \(DurationText.describe(about: time - exp)) ago (exp): check this machine's clock"
    }
    guard let issued = claims["iat"]?.lenientNumber else { return "does not say when it was issued (iat)" }
    guard issued < time + IDTokenCheck.leeway else {
      return "is from the future, by \(DurationText.describe(about: issued - time)) (iat): check this machine's clock"
    }
    if let start = claims["nbf"]?.lenientNumber, start > time + IDTokenCheck.leeway {
      return "is not valid for another \(DurationText.describe(about: start - time)) (nbf): check this machine's clock"
    }
    guard let maxAge else { return nil }
    // Some servers send 0 if the time is unknown.
    guard let login = claims["auth_time"]?.lenientNumber, login != 0 else {
      return "does not say when the person logged in (auth_time), although max_age asks for it"
    }
    guard time - login > maxAge + IDTokenCheck.leeway else { return nil }
    let (age, most) = (DurationText.describe(about: time - login), DurationText.describe(about: maxAge))
    return "is from a login \(age) ago, and max_age allows \(most)"
  }

  /// Checks item 11 and section 3.1.3.6, the binding of the token to this login, the access token and the code.
  private func bindingFault(_ token: SignedToken) -> String? {
    if let nonce, !IDTokenCheck.is(token.claims["nonce"], nonce) {
      return "belongs to a different login (nonce): \(IDTokenCheck.both(token.claims["nonce"], nonce))"
    }
    return hashFault(token, "at_hash", of: accessToken, "access token")
      ?? hashFault(token, "c_hash", of: code, "authorization code")
  }

  private func hashFault(_ token: SignedToken, _ claim: String, of secret: Secret?, _ name: String) -> String? {
    guard let stated = token.claims[claim], let secret else { return nil }
    let hashes = token.algorithm.leftHalfHashes(secret.exposed)
    guard !hashes.contains(where: { IDTokenCheck.is(stated, $0) }) else { return nil }
    return "belongs to another \(name) (\(claim)): \(IDTokenCheck.both(stated, hashes.joined(separator: "' or '")))"
  }
}
