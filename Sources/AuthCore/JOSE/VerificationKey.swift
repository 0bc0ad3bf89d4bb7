import FoundationEssentials
import JWTKit

/// A public key of a server's key set that verifies signatures (RFC 7517, section 4).
struct VerificationKey: Sendable {
  /// `kid`
  let keyID: String?
  private let members: JSONValue

  /// The reason why a key can't be used.
  struct Unusable: Error, Equatable {
    /// The reason in words.
    let reason: String
  }

  /// Reads one entry of a key set; nil if it is not for signatures (`use`, `key_ops`) or not a key object.
  init?(_ entry: JSONValue) {
    guard case .object = entry, entry["kty"]?.string != nil else { return nil }
    if let use = entry["use"]?.string, use != "sig" { return nil }
    if let operations = entry["key_ops"]?.strings, !operations.contains("verify") { return nil }
    keyID = entry["kid"]?.string
    members = entry
  }

  /// Whether the key has the type that an algorithm requires. A key of another type never verifies a signature,
  /// regardless of the token's header.
  func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    guard !algorithm.isSymmetric, members["kty"]?.string == algorithm.keyType else { return false }
    if let own = members["alg"]?.string {
      guard let own = SignatureAlgorithm(rawValue: own), own.isSame(as: algorithm) else { return false }
    }
    return members["crv"]?.string == algorithm.curve || algorithm.curve == nil
  }

  /// Verifies a signature.
  ///
  /// - Returns: false if the signature was not created with this key.
  /// - Throws: ``Unusable`` if the key itself is malformed or too weak.
  func verifies(_ signature: [UInt8], of text: [UInt8], by algorithm: SignatureAlgorithm) async throws(Unusable) -> Bool
  {
    guard fits(algorithm) else { return false }
    let verifier = try await verifier(algorithm)
    // An error of the library means that the signature is malformed.
    return (try? verifier.verify(signature, signs: text)) ?? false
  }

  private func verifier(_ algorithm: SignatureAlgorithm) async throws(Unusable) -> any JWTAlgorithm {
    let keys = JWTKeyCollection()
    do {
      switch algorithm {
      case .rs256, .rs384, .rs512: await keys.add(rsa: try rsaKey(), digestAlgorithm: algorithm.digest)
      case .ps256, .ps384, .ps512: await keys.add(pss: try rsaKey(), digestAlgorithm: algorithm.digest)
      case .es256: await keys.add(ecdsa: try ES256PublicKey(parameters: try point(32)))
      case .es384: await keys.add(ecdsa: try ES384PublicKey(parameters: try point(48)))
      case .es512: await keys.add(ecdsa: try ES512PublicKey(parameters: try point(66)))
      case .edDSA, .ed25519: await keys.add(eddsa: try EdDSA.PublicKey(x: try text("x"), curve: .ed25519))
      case .hs256, .hs384, .hs512: throw Unusable(reason: "a public key can't verify \(algorithm.rawValue)")
      }
      return try await keys.getKey()
    } catch let error as Unusable {
      throw error
    } catch {
      throw Unusable(reason: "it is malformed")
    }
  }

  private func text(_ name: String) throws(Unusable) -> String {
    guard let text = members[name]?.string, !text.isEmpty else { throw Unusable(reason: "it lacks \(name)") }
    return text
  }

  private func point(_ size: Int) throws(Unusable) -> ECDSAParameters {
    let (x, y) = (try text("x"), try text("y"))
    guard Base64URL.decode(x)?.count == size, Base64URL.decode(y)?.count == size else {
      throw Unusable(reason: "its point is malformed")
    }
    return (x: x, y: y)
  }

  private func rsaKey() throws -> Insecure.RSA.PublicKey {
    let (modulus, exponent) = (try text("n"), try text("e"))
    guard let bytes = Base64URL.decode(modulus) else { throw Unusable(reason: "it is malformed") }
    let significant = bytes.drop { $0 == 0 }
    let bits = significant.count * 8 - (significant.first?.leadingZeroBitCount ?? 0)
    guard bits >= 2048 else { throw Unusable(reason: "it is an RSA key of \(bits) bits, and 2048 are the least") }
    guard bits <= 16384 else { throw Unusable(reason: "it is an RSA key of \(bits) bits, more than the limit") }
    return try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
  }
}

extension SignatureAlgorithm {
  fileprivate var digest: DigestAlgorithm {
    switch self {
    case .rs384, .ps384, .es384: .sha384
    case .rs512, .ps512, .es512, .edDSA, .ed25519: .sha512
    default: .sha256
    }
  }
}
