import Crypto
import FoundationEssentials

/// The accepted signature algorithms of ID tokens (RFC 7518, section 3.1; RFC 8037; RFC 9864); `none` is not accepted.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  case edDSA = "EdDSA"
  // The same signatures under their name in RFC 9864, which includes the curve.
  case ed25519 = "Ed25519"
  case hs256 = "HS256"
  case hs384 = "HS384"
  case hs512 = "HS512"

  /// `kty` of the keys for this algorithm (RFC 7518, section 6.1; RFC 8037, section 2).
  var keyType: String {
    switch self {
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: "RSA"
    case .es256, .es384, .es512: "EC"
    case .edDSA, .ed25519: "OKP"
    case .hs256, .hs384, .hs512: "oct"
    }
  }

  /// `crv` of the keys for this algorithm; nil if they have none.
  var curve: String? {
    switch self {
    case .es256: "P-256"
    case .es384: "P-384"
    case .es512: "P-521"
    case .edDSA, .ed25519: "Ed25519"
    default: nil
    }
  }

  /// Whether it signs with a shared secret.
  var isSymmetric: Bool { keyType == "oct" }

  /// Whether both names mean the same algorithm: Ed25519 has two names.
  func isSame(as other: SignatureAlgorithm) -> Bool {
    self == other || Set([self, other]) == [.edDSA, .ed25519]
  }

  /// Returns the accepted values of `at_hash` and `c_hash`: the left half of a text's hash in Base64url (OpenID Connect
  /// Core, section 3.1.3.6).
  ///
  /// Ed25519 signs with SHA-512; some servers use SHA-256 with it, as the section's wording for other algorithms
  /// allows.
  func leftHalfHashes(_ text: String) -> [String] {
    let data = Data(text.utf8)
    let hashes: [[UInt8]] =
      switch self {
      case .rs256, .ps256, .es256, .hs256: [Array(SHA256.hash(data: data))]
      case .rs384, .ps384, .es384, .hs384: [Array(SHA384.hash(data: data))]
      case .rs512, .ps512, .es512, .hs512: [Array(SHA512.hash(data: data))]
      case .edDSA, .ed25519: [Array(SHA512.hash(data: data)), Array(SHA256.hash(data: data))]
      }
    return hashes.map { Base64URL.encode($0.prefix($0.count / 2)) }
  }
}
