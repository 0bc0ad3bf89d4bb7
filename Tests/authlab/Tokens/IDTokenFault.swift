/// What is wrong with the ID tokens.
enum IDTokenFault: String, Codable, Sendable {
  /// Nothing.
  case none
  /// There is none, although `openid` was asked for.
  case absent
  /// It is no JWT.
  case garbage
  /// `iss` is another server.
  case wrongIssuer = "wrong-issuer"
  /// `aud` is another client.
  case wrongAudience = "wrong-audience"
  /// `aud` names a second party and there is no `azp`.
  case twoAudiences = "two-audiences"
  /// `nonce` is another one.
  case wrongNonce = "wrong-nonce"
  /// `sub` is another person.
  case wrongSubject = "wrong-subject"
  /// `exp` is an hour ago.
  case expired
  /// `at_hash` is of another access token.
  case wrongHash = "wrong-at-hash"
  /// `kid` names no key.
  case unknownKeyID = "unknown-kid"
  /// There is no `kid`.
  case noKeyID = "no-kid"
  /// The signature is of other bytes.
  case badSignature = "bad-signature"
  /// The signature is empty.
  case emptySignature = "empty-signature"
  /// The header has an extension that must be understood.
  case critical = "crit"
}
