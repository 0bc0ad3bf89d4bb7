import JWTKit

/// A key that signs assertions.
package struct AssertionKey: Sendable {
  enum Material: Sendable {
    case secret(Secret)
    case rsa(Insecure.RSA.PrivateKey)
    case p256(ES256PrivateKey)
    case p384(ES384PrivateKey)
    case p521(ES512PrivateKey)
    case ed25519(EdDSA.PrivateKey)
  }

  let material: Material
  /// `kid` of a JWK (RFC 7517, section 4.5).
  let keyID: String?
  /// `alg` of a JWK (RFC 7517, section 4.4); nil if it does not fit the key.
  let statedAlgorithm: AssertionAlgorithm?

  init(_ material: Material, keyID: String? = nil, statedAlgorithm: AssertionAlgorithm? = nil) {
    self.material = material
    self.keyID = keyID
    self.statedAlgorithm = statedAlgorithm
  }

  /// The reason why a text is not a usable signing key; never quotes it.
  package struct Unusable: Error, Sendable, Equatable {
    /// The reason in words.
    package let reason: String
    /// How to fix it.
    package let remedy: String
  }

  /// Reads a private key: PEM (PKCS #8, PKCS #1 or SEC 1), a JWK, or a JWK set.
  ///
  /// - Parameters:
  ///   - text: the whole file.
  ///   - keyID: selects a key of a set; a set of one key needs none.
  /// - Throws: ``Unusable``.
  package init(_ text: Secret, keyID: String? = nil) throws(Unusable) {
    let unmarked = text.exposed.dropping(prefix: "\u{FEFF}") ?? text.exposed[...]
    let trimmed = String(unmarked.trimming(anyOf: " \t\r\n"))
    self = trimmed.starts(withBytes: "{") ? try .jwk(trimmed, keyID: keyID) : AssertionKey(try .pem(trimmed))
  }

  /// Creates a key from a client secret (OpenID Connect Core, section 9, `client_secret_jwt`).
  init(secret: Secret) {
    self.init(.secret(secret))
  }

  /// The algorithms that it can sign with; the first is the default.
  var algorithms: [AssertionAlgorithm] {
    switch material {
    case .secret: [.hs256, .hs384, .hs512]
    case .rsa: [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
    case .p256: [.es256]
    case .p384: [.es384]
    case .p521: [.es512]
    case .ed25519: [.edDSA, .ed25519]
    }
  }

  /// Returns the algorithm to sign with.
  ///
  /// - Throws: ``Unusable`` if the wanted algorithm does not fit the key.
  func algorithm(_ wanted: AssertionAlgorithm?) throws(Unusable) -> AssertionAlgorithm {
    guard let wanted else { return statedAlgorithm ?? algorithms[0] }
    guard algorithms.contains(wanted) else {
      throw Unusable(
        reason: "it can't sign with \(wanted.rawValue)",
        remedy: "remove assertion_algorithm, or set it to one of: "
          + algorithms.map(\.rawValue).joined(separator: ", "))
    }
    return wanted
  }
}

/// An algorithm that signs assertions; the raw value is its name in a JWT's header (RFC 7518, section 3.1; RFC 8037).
package enum AssertionAlgorithm: String, Sendable, CaseIterable {
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
  /// The same algorithm under its name in RFC 9864, the only one that some servers accept.
  case ed25519 = "Ed25519"

  /// Whether it signs with a secret that the server also knows.
  package var isSymmetric: Bool { [.hs256, .hs384, .hs512].contains(self) }
}
