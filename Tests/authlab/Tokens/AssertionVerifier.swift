import Crypto
import CryptoExtras
import Foundation

/// The public key of a client, which verifies its assertions.
enum AssertionVerifier: Sendable {
  /// RS256 to RS512, PS256 to PS512.
  case rsa(_RSA.Signing.PublicKey)
  /// ES256.
  case p256(P256.Signing.PublicKey)
  /// ES384.
  case p384(P384.Signing.PublicKey)
  /// ES512.
  case p521(P521.Signing.PublicKey)
  /// EdDSA.
  case ed25519(Curve25519.Signing.PublicKey)

  /// Reads a public key in PEM; nil where the file holds none.
  init?(file: String) {
    guard let pem = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    if let key = try? P256.Signing.PublicKey(pemRepresentation: pem) {
      self = .p256(key)
    } else if let key = try? P384.Signing.PublicKey(pemRepresentation: pem) {
      self = .p384(key)
    } else if let key = try? P521.Signing.PublicKey(pemRepresentation: pem) {
      self = .p521(key)
    } else if let key = try? _RSA.Signing.PublicKey(pemRepresentation: pem) {
      self = .rsa(key)
    } else if let key = try? Curve25519.Signing.PublicKey(pemRepresentation: pem) {
      self = .ed25519(key)
    } else {
      return nil
    }
  }

  /// Whether a signature is that of this key with this algorithm (RFC 7518, section 3.1).
  func verifies(_ signature: Data, of signed: Data, algorithm: String) -> Bool {
    switch (self, algorithm) {
    case (.rsa(let key), "RS256"), (.rsa(let key), "PS256"):
      Self.verifies(signature, SHA256.hash(data: signed), key, algorithm)
    case (.rsa(let key), "RS384"), (.rsa(let key), "PS384"):
      Self.verifies(signature, SHA384.hash(data: signed), key, algorithm)
    case (.rsa(let key), "RS512"), (.rsa(let key), "PS512"):
      Self.verifies(signature, SHA512.hash(data: signed), key, algorithm)
    case (.p256(let key), "ES256"):
      (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map {
        key.isValidSignature($0, for: signed)
      } ?? false
    case (.p384(let key), "ES384"):
      (try? P384.Signing.ECDSASignature(rawRepresentation: signature)).map {
        key.isValidSignature($0, for: signed)
      } ?? false
    case (.p521(let key), "ES512"):
      (try? P521.Signing.ECDSASignature(rawRepresentation: signature)).map {
        key.isValidSignature($0, for: signed)
      } ?? false
    case (.ed25519(let key), "EdDSA"): key.isValidSignature(signature, for: signed)
    default: false
    }
  }

  private static func verifies(
    _ signature: Data, _ digest: some Digest, _ key: _RSA.Signing.PublicKey, _ algorithm: String
  ) -> Bool {
    key.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest,
      padding: algorithm.hasPrefix("PS") ? .PSS : .insecurePKCS1v1_5)
  }
}
