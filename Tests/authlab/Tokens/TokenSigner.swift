import Crypto
import CryptoExtras
import Foundation

/// Signs JWTs with keys that live as long as the process, or until they are changed (RFC 7515; RFC 7518, section 3).
struct TokenSigner: Sendable {
  private let ec = P256.Signing.PrivateKey()
  private let ed = Curve25519.Signing.PrivateKey()
  // Made when first needed: an RSA key takes its time.
  private var rsa: _RSA.Signing.PrivateKey?
  private var weakRSA: _RSA.Signing.PrivateKey?
  private let name = String(RandomToken.make().prefix(8))

  /// The names of the keys, by their kind.
  func keyID(_ algorithm: IDTokenAlgorithm) -> String {
    switch algorithm {
    case .rs256, .ps256: name + "-rsa"
    case .weakRSA: name + "-weak"
    case .edDSA: name + "-ed"
    default: name
    }
  }

  /// The compact serialization of a signed token; `secret` is the client's, for HS256.
  /// - Throws: `CryptoKitError` when the signature can't be made.
  mutating func sign(
    _ claims: JSONValue, type: String, algorithm: IDTokenAlgorithm = .es256, fault: IDTokenFault = .none,
    secret: String? = nil
  ) throws -> String {
    var header: JSONValue = ["alg": .string(algorithm.name), "typ": .string(type)]
    switch fault {
    case .noKeyID: break
    case .unknownKeyID: header = header.adding("kid", "nobody's")
    default: header = header.adding("kid", .string(keyID(algorithm)))
    }
    if fault == .critical { header = header.adding("crit", ["x"]).adding("x", true) }
    let signed = Base64URL.encode(header.text.utf8) + "." + Base64URL.encode(claims.text.utf8)
    if fault == .emptySignature { return signed + "." }
    let text = fault == .badSignature ? signed + "x" : signed
    return try signed + "." + Base64URL.encode(signature(Data(text.utf8), algorithm, secret: secret))
  }

  private mutating func signature(_ text: Data, _ algorithm: IDTokenAlgorithm, secret: String?) throws -> Data {
    switch algorithm {
    case .es256, .unknown: return try ec.signature(for: text).rawRepresentation
    case .edDSA: return try ed.signature(for: text)
    case .rs256: return try rsaKey().signature(for: text, padding: .insecurePKCS1v1_5).rawRepresentation
    case .ps256: return try rsaKey().signature(for: text, padding: .PSS).rawRepresentation
    case .weakRSA:
      let key = try weakRSA ?? _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
      weakRSA = key
      return try key.signature(for: text, padding: .insecurePKCS1v1_5).rawRepresentation
    case .hs256: return mac(text, Data((secret ?? "").utf8))
    case .hs256PublicKey: return mac(text, Data(ec.publicKey.pemRepresentation.utf8))
    case .none: return Data("none".utf8)
    }
  }

  private func mac(_ text: Data, _ key: Data) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key)))
  }

  private mutating func rsaKey() throws -> _RSA.Signing.PrivateKey {
    let key = try rsa ?? _RSA.Signing.PrivateKey(keySize: .bits2048)
    rsa = key
    return key
  }

  /// The key set with the public keys (RFC 7517, section 5), among them what a client has to pass over.
  /// - Throws: `CryptoKitError` when a key can't be written.
  func keySet(withNames: Bool) throws -> JSONValue {
    let point = ec.publicKey.rawRepresentation
    let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
    var keys: [(IDTokenAlgorithm?, JSONValue)] = [
      (.es256, ["kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "x": .string(x), "y": .string(y)]),
      (.edDSA, ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(ed.publicKey.rawRepresentation))]),
    ]
    // Not for signatures, though of the same name; and of no kind that anybody knows.
    keys.append(
      (nil, ["kty": "EC", "crv": "P-256", "use": "enc", "kid": .string(name), "x": .string(y), "y": .string(x)]))
    keys.append((nil, ["kty": "UNHEARD-OF", "kid": "new"]))
    if let rsa { keys.append((.rs256, try Self.publicKey(rsa))) }
    if let weakRSA { keys.append((.weakRSA, try Self.publicKey(weakRSA))) }
    return [
      "keys": .array(
        keys.map { kind, key in
          guard let kind, withNames else { return key }
          return key.adding("kid", .string(keyID(kind)))
        })
    ]
  }

  private static func publicKey(_ key: _RSA.Signing.PrivateKey) throws -> JSONValue {
    let numbers = try key.publicKey.getKeyPrimitives()
    return [
      "kty": "RSA", "use": "sig", "n": .string(Base64URL.encode(numbers.modulus)),
      "e": .string(Base64URL.encode(numbers.publicExponent)),
    ]
  }
}
