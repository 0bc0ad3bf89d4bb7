import JWTKit

extension AssertionKey {
  /// Signs claims: the compact serialization of a JWT (RFC 7515, section 7.1).
  ///
  /// - Throws: ``Unusable`` where key and algorithm do not fit each other.
  func sign(
    _ claims: [String: JSONValue], algorithm wanted: AssertionAlgorithm?, keyID: String?
  ) async throws(Unusable) -> Secret {
    let algorithm = try algorithm(wanted)
    let keys = JWTKeyCollection()
    await add(to: keys, algorithm)
    var header = JWTHeader()
    if let kid = keyID ?? self.keyID { header.kid = kid }
    do {
      return Secret(try await keys.sign(Payload(claims: claims), header: header))
    } catch {
      throw Unusable(reason: "it does not sign", remedy: "try another key")
    }
  }

  private func add(to keys: JWTKeyCollection, _ algorithm: AssertionAlgorithm) async {
    switch material {
    case .secret(let secret):
      await keys.add(hmac: HMACKey(from: secret.exposed), digestAlgorithm: algorithm.digest)
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
  }

  private struct Payload: JWTPayload {
    let claims: [String: JSONValue]

    init(claims: [String: JSONValue]) {
      self.claims = claims
    }

    init(from decoder: any Decoder) throws {
      claims = try [String: JSONValue](from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
      try claims.encode(to: encoder)
    }

    /// Only what comes from outside is verified; these claims are ours.
    func verify(using algorithm: some JWTAlgorithm) {}
  }
}

extension AssertionAlgorithm {
  fileprivate var digest: DigestAlgorithm {
    switch self {
    case .hs384, .rs384, .ps384, .es384: .sha384
    case .hs512, .rs512, .ps512, .es512: .sha512
    case .hs256, .rs256, .ps256, .es256, .edDSA: .sha256
    }
  }
}
