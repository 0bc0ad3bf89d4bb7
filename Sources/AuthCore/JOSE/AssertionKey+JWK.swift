import Crypto
import JWTKit

extension AssertionKey {
  /// Reads a private JWK (RFC 7517, section 4; RFC 7518, section 6), or the selected one of a JWK set.
  static func jwk(_ text: String, keyID: String?) throws(Unusable) -> AssertionKey {
    let document: JSONValue
    do {
      document = try JSONValue(parsing: Array(text.utf8))
    } catch {
      throw Unusable(reason: "it looks like a JWK but is not valid JSON", remedy: "use the whole file")
    }
    let jwk = try chosen(document, keyID: keyID)
    let material = try material(jwk)
    let key = AssertionKey(material, keyID: jwk["kid"]?.string)
    let stated = jwk["alg"]?.string.flatMap { AssertionAlgorithm(rawValue: $0) }
    return AssertionKey(
      material, keyID: key.keyID, statedAlgorithm: stated.flatMap { key.algorithms.contains($0) ? $0 : nil })
  }

  private static func chosen(_ document: JSONValue, keyID: String?) throws(Unusable) -> JSONValue {
    guard case .array(let keys)? = document["keys"] else { return document }
    if keys.count == 1 { return keys[0] }
    if let keyID, let key = keys.first(where: { $0["kid"]?.string == keyID }) { return key }
    throw Unusable(
      reason: keyID == nil ? "it is a set of several keys" : "it is a set without a key of that assertion_key_id",
      remedy: "set assertion_key_id to the kid of the right key")
  }

  private static func material(_ jwk: JSONValue) throws(Unusable) -> Material {
    let remedy = "use a private JWK of kty RSA, EC (P-256, P-384, P-521) or OKP (Ed25519)"
    let type = jwk["kty"]?.string
    guard type != "oct" else {
      throw Unusable(
        reason: "it is a symmetric key", remedy: "use it as the client secret, with client_secret_jwt")
    }
    guard let d = jwk["d"]?.string else {
      throw Unusable(reason: "it contains no private key", remedy: remedy)
    }
    do {
      switch (type, jwk["crv"]?.string) {
      case ("RSA", _):
        guard let n = jwk["n"]?.string, let e = jwk["e"]?.string else { break }
        guard let p = jwk["p"]?.string, let q = jwk["q"]?.string else {
          return .rsa(try Insecure.RSA.PrivateKey(modulus: n, exponent: e, privateExponent: d))
        }
        return .rsa(
          try Insecure.RSA.PrivateKey(modulus: n, exponent: e, privateExponent: d, prime1: p, prime2: q))
      case ("EC", "P-256"): return .p256(try ES256PrivateKey(key: d))
      case ("EC", "P-384"): return .p384(try ES384PrivateKey(key: d))
      case ("EC", "P-521"): return .p521(try ES512PrivateKey(key: d))
      case ("OKP", "Ed25519"): return .ed25519(try EdDSA.PrivateKey(d: d, curve: .ed25519))
      default: break
      }
    } catch CryptoKitError.incorrectParameterSize where type == "RSA" {
      throw .shortRSA
    } catch {
      throw Unusable(reason: "its private key is damaged", remedy: remedy)
    }
    throw Unusable(reason: "its type can't sign assertions", remedy: remedy)
  }
}
