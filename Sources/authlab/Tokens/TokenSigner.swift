import Crypto
import Foundation

/// Signs JWTs with a P-256 key that lives as long as the process (RFC 7515; ES256 of RFC 7518, section 3.4).
struct TokenSigner: Sendable {
  private let key = P256.Signing.PrivateKey()
  private let keyID = String(RandomToken.make().prefix(8))

  /// The compact serialization of a signed token.
  /// - Throws: `CryptoKitError` when the signature can't be made.
  func sign(_ claims: JSONValue, type: String) throws -> String {
    let header: JSONValue = ["alg": "ES256", "kid": .string(keyID), "typ": .string(type)]
    let signed = Base64URL.encode(header.text.utf8) + "." + Base64URL.encode(claims.text.utf8)
    return try signed + "." + Base64URL.encode(key.signature(for: Data(signed.utf8)).rawRepresentation)
  }

  /// The key set with the public key (RFC 7517, section 5).
  var keySet: JSONValue {
    let point = key.publicKey.rawRepresentation
    return [
      "keys": [
        [
          "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": .string(keyID),
          "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
        ]
      ]
    ]
  }
}
