import FoundationEssentials

/// A signed JSON Web Token in compact serialization, parsed but not yet verified (RFC 7515, section 3.1).
struct SignedToken: Sendable {
  /// `alg`, the algorithm of the signature according to the header.
  let algorithm: SignatureAlgorithm
  /// `kid`, the identifier of the key; nil if the header has none.
  let keyID: String?
  /// The payload, a JSON object.
  let claims: JSONValue
  /// The header and the payload as they were signed.
  let signingInput: [UInt8]
  /// The signature.
  let signature: [UInt8]

  /// The reason why a token is refused without verifying its signature; never quotes it.
  struct Unacceptable: Error, Equatable {
    /// The reason as a phrase that follows "the ID token ".
    let reason: String
  }

  /// The maximum length of a token in bytes.
  private static let limit = 256 << 10

  /// Parses a token.
  ///
  /// - Throws: ``Unacceptable``, also for an unsupported algorithm, for `none`, and for critical extensions, which are
  ///   not supported (`crit`, RFC 7515, section 4.1.11).
  init(_ token: Secret) throws(Unacceptable) {
    let text = token.exposed
    guard text.utf8.count <= SignedToken.limit else { throw Unacceptable(reason: "is too long") }
    let parts = text.split(atAny: ".", omittingEmptySubsequences: false)
    guard parts.count != 5 else { throw Unacceptable(reason: "is encrypted, which is not supported") }
    guard parts.count == 3, let header = JSONValue(objectInBase64URL: parts[0]),
      let claims = JSONValue(objectInBase64URL: parts[1]), let signature = Base64URL.decode(parts[2])
    else { throw Unacceptable(reason: "is not a JWT") }
    guard let name = header["alg"]?.string else { throw Unacceptable(reason: "names no signature algorithm") }
    guard name.lowercased() != "none" else { throw Unacceptable(reason: "is not signed (alg is none)") }
    guard let algorithm = SignatureAlgorithm(rawValue: name) else {
      throw Unacceptable(reason: "is signed with \(Escaped.text(name, limit: 40)), which is not accepted")
    }
    guard !signature.isEmpty else { throw Unacceptable(reason: "has an empty signature") }
    guard !header.has("crit") else { throw Unacceptable(reason: "has unknown critical extensions (crit)") }
    guard !header.has("b64") else { throw Unacceptable(reason: "is encoded in a way of its own (b64)") }
    self.algorithm = algorithm
    keyID = header["kid"]?.string
    self.claims = claims
    signingInput = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    self.signature = signature
  }
}

extension JSONValue {
  /// Whether an object has a member, `null` included.
  fileprivate func has(_ name: String) -> Bool {
    if case .object(let members) = self { members[name] != nil } else { false }
  }
}
