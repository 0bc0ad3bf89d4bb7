import FoundationEssentials

/// Checks the claims of an ID token that came straight from the token endpoint (OpenID Connect Core, section 3.1.3.7).
///
/// Its signature need not be verified there (item 6): the TLS connection says who sent it.
struct IDTokenCheck {
  let issuer: String
  let clientID: String
  let nonce: String
  let now: Date

  /// - Returns: why the token is not to be believed; nil where it is.
  func reasonToRefuse(_ token: Secret) -> String? {
    guard let claims = JSONWebToken(unverified: token)?.claims else { return "the ID token is not a JWT" }
    guard claims["iss"]?.string == issuer else { return "the ID token is of another issuer" }
    guard claims["aud"]?.strings?.contains(clientID) == true else { return "the ID token is for another client" }
    if let party = claims["azp"]?.string, party != clientID { return "the ID token is for another client (azp)" }
    guard let exp = claims["exp"]?.lenientNumber else { return "the ID token has no expiry" }
    // Clocks differ: five minutes are forgiven.
    guard Date(timeIntervalSince1970: exp) > now.addingTimeInterval(-300) else { return "the ID token has expired" }
    guard claims["nonce"]?.string == nonce else { return "the ID token is of another login (nonce)" }
    return nil
  }
}
