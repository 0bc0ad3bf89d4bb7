/// An algorithm that signs assertions; the raw value is its name in a JWT's header (RFC 7518, section 3.1; RFC 8037).
public enum AssertionAlgorithm: String, Sendable, CaseIterable {
  /// HMAC with a client secret.
  case hs256 = "HS256", hs384 = "HS384", hs512 = "HS512"
  /// RSA with the padding of PKCS #1, version 1.5.
  case rs256 = "RS256", rs384 = "RS384", rs512 = "RS512"
  /// RSA with the padding PSS.
  case ps256 = "PS256", ps384 = "PS384", ps512 = "PS512"
  /// ECDSA on the curves P-256, P-384 and P-521.
  case es256 = "ES256", es384 = "ES384", es512 = "ES512"
  /// EdDSA on the curve Ed25519.
  case edDSA = "EdDSA"
  /// The same under the name of RFC 9864, which some servers accept only.
  case ed25519 = "Ed25519"

  /// Whether it signs with a secret that the server knows too.
  public var isSymmetric: Bool { [.hs256, .hs384, .hs512].contains(self) }
}
