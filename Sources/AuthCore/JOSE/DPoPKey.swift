import Crypto
import FoundationEssentials

/// The key to which the tokens of a session are bound (RFC 9449): P-256 for ES256, generated at login.
package struct DPoPKey: Sendable {
  private let key: P256.Signing.PrivateKey
  /// The public key as a JSON Web Key with only the required members of its type.
  let publicKey: JSONValue
  /// The SHA-256 thumbprint of the public key (RFC 7638), by which servers identify it (`jkt`).
  package let thumbprint: String

  /// The reason why a key can't be used; never quotes it.
  struct Unusable: Error, Equatable {
    /// The reason in words.
    let reason: String
  }

  /// Generates a new key.
  package init() {
    self.init(P256.Signing.PrivateKey())
  }

  /// Reads the result of ``stored()``.
  ///
  /// - Throws: ``Unusable`` if the secret is not a stored DPoP key.
  init(stored secret: Secret) throws(Unusable) {
    guard let document = try? JSONValue(parsing: Array(secret.exposed.utf8)), document["kty"]?.string == "EC",
      document["crv"]?.string == "P-256", let scalar = document["d"]?.string.flatMap({ Base64URL.decode($0) }),
      let key = try? P256.Signing.PrivateKey(rawRepresentation: scalar)
    else { throw Unusable(reason: "it is not a stored DPoP key") }
    self.init(key)
  }

  private init(_ key: P256.Signing.PrivateKey) {
    self.key = key
    let point = key.publicKey.rawRepresentation
    let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
    publicKey = .object(["kty": .string("EC"), "crv": .string("P-256"), "x": .string(x), "y": .string(y)])
    thumbprint = DPoPKey.thumbprint(x: x, y: y)
  }

  /// Returns the thumbprint of a P-256 key: the hash of its required members, sorted by name (RFC 7638, section 3).
  static func thumbprint(x: String, y: String) -> String {
    let members = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    return Base64URL.encode(SHA256.hash(data: Data(members.utf8)))
  }

  /// Returns the key as a private JSON Web Key (RFC 7517) for the keyring.
  func stored() -> Secret {
    let point = key.publicKey.rawRepresentation
    let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
    let scalar = Base64URL.encode(key.rawRepresentation)
    return Secret(#"{"crv":"P-256","d":"\#(scalar)","kty":"EC","x":"\#(x)","y":"\#(y)"}"#)
  }

  /// Returns the ES256 signature of a text (RFC 7518, section 3.4).
  ///
  /// - Throws: ``Unusable``; this does not happen with a key that was read successfully.
  func signature(of text: String) throws(Unusable) -> [UInt8] {
    do {
      return Array(try key.signature(for: Data(text.utf8)).rawRepresentation)
    } catch {
      throw Unusable(reason: "the key can't sign")
    }
  }
}

extension DPoPKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The thumbprint, which is public.
  package var description: String { "‹key \(thumbprint)›" }

  /// The thumbprint, which is public.
  package var debugDescription: String { description }

  /// Has no children: `dump` and mirrors see nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
