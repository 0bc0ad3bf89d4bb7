/// How ID tokens are signed.
enum IDTokenAlgorithm: String, Codable, Sendable {
  /// ECDSA on P-256 (RFC 7518, section 3.4).
  case es256 = "ES256"
  /// RSA with a key of 2048 bits (RFC 7518, section 3.3).
  case rs256 = "RS256"
  /// RSA-PSS (RFC 7518, section 3.5).
  case ps256 = "PS256"
  /// Ed25519 (RFC 8037).
  case edDSA = "EdDSA"
  /// HMAC with the client's secret (RFC 7518, section 3.2).
  case hs256 = "HS256"
  /// Not at all.
  case none
  /// HMAC with the public key, as a forger would: who takes the key for a secret is deceived.
  case hs256PublicKey = "HS256-public-key"
  /// RSA with a key of 1024 bits.
  case weakRSA = "RS256-weak"
  /// An algorithm that few know.
  case unknown = "ES256K"

  /// `alg` of the header.
  var name: String {
    switch self {
    case .hs256PublicKey: "HS256"
    case .weakRSA: "RS256"
    default: rawValue
    }
  }
}
