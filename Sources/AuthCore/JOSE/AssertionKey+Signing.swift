import Crypto
import FoundationEssentials
import JWTKit

extension AssertionKey {
  /// Signs claims and returns the compact serialization of a JWT (RFC 7515, section 7.1; RFC 7519).
  ///
  /// - Throws: ``Unusable`` if the key does not fit the algorithm.
  func sign(
    _ claims: [String: JSONValue], algorithm wanted: AssertionAlgorithm?, keyID: String?
  ) async throws(Unusable) -> Secret {
    let algorithm = try algorithm(wanted)
    var header: [String: JSONValue] = ["alg": .string(algorithm.rawValue), "typ": .string("JWT")]
    if let kid = keyID ?? self.keyID { header["kid"] = .string(kid) }
    do {
      let signed = [header, claims].map { JSONValue.object($0) }
      let input = try signed.map { Base64URL.encode(try $0.text().utf8) }.joined(separator: ".")
      return Secret(input + "." + Base64URL.encode(try await signature(of: Array(input.utf8), algorithm)))
    } catch {
      throw Unusable(reason: "it does not sign", remedy: "try another key")
    }
  }

  /// Returns the signature of a JWS Signing Input (RFC 7515, section 5.1).
  func signature(of input: [UInt8], _ algorithm: AssertionAlgorithm) async throws -> [UInt8] {
    let keys = JWTKeyCollection()
    switch material {
    case .secret(let secret): return AssertionKey.authenticationCode(input, secret, algorithm)
    case .rsa(let key):
      if [.ps256, .ps384, .ps512].contains(algorithm) {
        await keys.add(pss: key, digestAlgorithm: algorithm.digest)
      } else {
        await keys.add(rsa: key, digestAlgorithm: algorithm.digest)
      }
    case .p256(let key): await keys.add(ecdsa: key)
    case .p384(let key): await keys.add(ecdsa: key)
    case .p521(let key): await keys.add(ecdsa: key)
    case .ed25519(let key): await keys.add(eddsa: key)
    }
    return try await keys.getKey().sign(input)
  }

  /// Computes an HMAC without the JWT library. The library terminates the process if a secret is shorter than RFC 7518,
  /// section 3.2 requires. Such secrets are in use, and the server decides whether it accepts them.
  private static func authenticationCode(
    _ input: [UInt8], _ secret: Secret, _ algorithm: AssertionAlgorithm
  ) -> [UInt8] {
    let key = SymmetricKey(data: Data(secret.exposed.utf8))
    return switch algorithm {
    case .hs384: Array(HMAC<SHA384>.authenticationCode(for: input, using: key))
    case .hs512: Array(HMAC<SHA512>.authenticationCode(for: input, using: key))
    default: Array(HMAC<SHA256>.authenticationCode(for: input, using: key))
    }
  }
}

extension AssertionAlgorithm {
  fileprivate var digest: DigestAlgorithm {
    switch self {
    case .hs384, .rs384, .ps384, .es384: .sha384
    case .hs512, .rs512, .ps512, .es512: .sha512
    case .hs256, .rs256, .ps256, .es256, .edDSA, .ed25519: .sha256
    }
  }
}
