import Crypto
import Foundation

/// An assertion as it came (RFC 7523, section 3): nothing of it is verified yet.
struct JWTAssertion {
  /// `alg` of the header.
  let algorithm: String
  /// `iss`
  let issuer: String
  /// `sub`
  let subject: String
  /// `aud`, one or several.
  let audience: [String]
  /// `exp`, in seconds since 1970.
  let expiresAt: Double
  /// `jti`
  let id: String
  private let signed: Data
  private let signature: Data

  /// The algorithms that can be verified.
  static let algorithms = [
    "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
    "EdDSA",
  ]

  /// Takes a JWT apart; nil where it is none, or lacks what an assertion must have.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = Base64URL.decode(parts[2]), let algorithm = header["alg"] as? String,
      let issuer = claims["iss"] as? String, let subject = claims["sub"] as? String,
      let expiresAt = claims["exp"] as? Double, let id = claims["jti"] as? String
    else { return nil }
    (self.algorithm, self.issuer, self.subject, self.expiresAt, self.id) = (algorithm, issuer, subject, expiresAt, id)
    audience = (claims["aud"] as? String).map { [$0] } ?? claims["aud"] as? [String] ?? []
    signed = Data("\(parts[0]).\(parts[1])".utf8)
    self.signature = signature
  }

  /// Whether the client has signed it, with its key or with its secret.
  func isSigned(by client: Client) -> Bool {
    if let key = client.key { return key.verifies(signature, of: signed, algorithm: algorithm) }
    guard client.signsWithSecret, let secret = client.secret else { return false }
    let key = SymmetricKey(data: Data(secret.utf8))
    switch algorithm {
    case "HS256": return HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: signed, using: key)
    case "HS384": return HMAC<SHA384>.isValidAuthenticationCode(signature, authenticating: signed, using: key)
    case "HS512": return HMAC<SHA512>.isValidAuthenticationCode(signature, authenticating: signed, using: key)
    default: return false
    }
  }

  private static func object(_ part: String) -> [String: Any]? {
    guard let data = Base64URL.decode(part) else { return nil }
    return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
  }
}
