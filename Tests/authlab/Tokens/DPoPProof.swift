import Crypto
import Foundation

/// A proof of possession, verified (RFC 9449, section 4.3).
struct DPoPProof: Sendable {
  /// The thumbprint of its key (RFC 7638).
  let thumbprint: String
  /// `jti`
  let identifier: String
  /// `nonce`
  let nonce: String?
  /// `ath`
  let tokenHash: String?

  /// The error of a proof that is not accepted.
  static func invalid(_ why: String) -> OAuthError { OAuthError("invalid_dpop_proof", why) }

  /// Verifies all but nonce, token and single use.
  ///
  /// - Parameters:
  ///   - url: the target without query and fragment.
  ///   - now: the server's time, in seconds since 1970.
  ///   - tolerance: how far ahead `iat` may be; with 0 it must lie in an earlier second.
  /// - Throws: `OAuthError` that says what is wrong.
  init(_ text: String, method: String, url: String, now: Double, tolerance: Double) throws(OAuthError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = Base64URL.decode(parts[2])
    else { throw Self.invalid("The proof is no JWT.") }
    guard header["typ"] as? String == "dpop+jwt", header["alg"] as? String == "ES256",
      let key = header["jwk"] as? [String: String], Set(key.keys) == ["kty", "crv", "x", "y"],
      key["kty"] == "EC", key["crv"] == "P-256", let x = key["x"], let y = key["y"],
      let point = Base64URL.decode(x).flatMap({ x in Base64URL.decode(y).map { x + $0 } }),
      let publicKey = try? P256.Signing.PublicKey(rawRepresentation: point)
    else { throw Self.invalid("The header of the proof is wrong.") }
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
      publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
    else { throw Self.invalid("The signature of the proof is wrong.") }
    guard claims["htm"] as? String == method else { throw Self.invalid("The proof is for another method.") }
    guard claims["htu"] as? String == url else { throw Self.invalid("The proof is for another URL.") }
    guard let issuedAt = claims["iat"] as? Double, let identifier = claims["jti"] as? String, !identifier.isEmpty else {
      throw Self.invalid("The proof has no time or no identifier.")
    }
    guard issuedAt < now.rounded(.down) + tolerance else { throw Self.invalid("The proof is from the future.") }
    guard issuedAt > now - 60 else { throw Self.invalid("The proof is too old.") }
    self.identifier = identifier
    nonce = claims["nonce"] as? String
    tokenHash = claims["ath"] as? String
    thumbprint = Base64URL.encode(
      SHA256.hash(data: Data(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#.utf8)))
  }

  private static func object(_ part: String) -> [String: Any]? {
    Base64URL.decode(part).flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
  }
}
