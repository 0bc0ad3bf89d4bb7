import FoundationEssentials

/// Verifies the claims and the signature of an ID token (OpenID Connect Core, section 3.1.3.7).
struct IDTokenVerifier: Sendable {
  /// The requirements for its claims.
  let check: IDTokenCheck
  /// The server's key set; nil if the server names no location. The TLS connection to the token endpoint then
  /// identifies the sender (item 6).
  let keySet: KeySetDocument?
  /// The client's secret, if it may be the key of the signature (HS256, HS384, HS512).
  let clientSecret: Secret?
  /// The algorithms with which the server states that it signs with that secret.
  let secretAlgorithms: Set<SignatureAlgorithm>

  /// Verifies a token.
  ///
  /// - Throws: ``Refusal``, or ``AuthError`` if the server's keys are unavailable.
  func verify(_ text: Secret) async throws -> SignedToken {
    let token: SignedToken
    do {
      token = try SignedToken(text)
    } catch {
      throw Refusal(reason: error.reason)
    }
    if let reason = check.reasonToRefuse(token) { throw Refusal(reason: reason) }
    if token.algorithm.isSymmetric {
      try verifySecretSignature(token)
    } else if let keySet {
      try await verifySignature(token, keySet)
    }
    return token
  }

  /// The reason why a token is refused, worded to follow "the ID token "; never quotes it.
  struct Refusal: Error, Equatable {
    /// The reason.
    let reason: String
  }

  /// Verifies an HMAC, only ever with the client's secret. Accepting a public key as the secret would allow anyone to
  /// forge a signature.
  private func verifySecretSignature(_ token: SignedToken) throws(Refusal) {
    guard let clientSecret, secretAlgorithms.contains(token.algorithm) else {
      throw Refusal(
        reason:
          "is signed with \(token.algorithm.rawValue), which neither the client nor the server has stated")
    }
    guard token.isSigned(by: clientSecret) else { throw Refusal(reason: "has a wrong signature") }
  }

  private func verifySignature(_ token: SignedToken, _ source: KeySetDocument) async throws {
    if let reason = try await source.verify(token).fault(of: token, source.url) { throw Refusal(reason: reason) }
  }
}

/// The values that an ID token must match in addition to those from the profile.
struct IDTokenBinding: Sendable {
  /// The nonce of the authorization request; nil if there was no such request.
  var nonce: String?
  /// The authorization code; nil if there was none.
  var code: Secret?
}
