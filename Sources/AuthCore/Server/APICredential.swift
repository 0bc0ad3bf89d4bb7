import FoundationEssentials
import HTTPTypes

/// The credential for a request to the API: the token and, if it is bound to a key, its prover.
public struct APICredential: Sendable {
  /// The access token.
  public let token: Secret
  /// Creates a proof for each request; nil for a bearer token.
  let prover: DPoPProver?
  /// How long a refusal of the token causes no refresh; nil if a refusal causes one. It is set if the API refused the
  /// token right after it was issued.
  public internal(set) var refreshPause: Duration?
  /// When the token was issued; nil if that is unknown.
  var issuedAt: Date?
  /// The last refusal of the token; nil if the API has refused it never, or as far as is known.
  var refusal: TokenPair.Refusal?

  /// Creates the credential for a bearer token.
  public init(_ token: Secret) {
    self.token = token
    prover = nil
  }

  /// Creates the credential for a token that is bound to a key.
  init(_ token: Secret, prover: DPoPProver) {
    self.token = token
    self.prover = prover
  }

  /// Returns the header fields for one request, and the nonce in its proof.
  func fields(
    _ header: TokenHeader, for method: HTTPRequest.Method, _ url: WebURL
  ) throws(AuthError) -> (fields: [HTTPField], nonce: String?) {
    guard let prover else { return ([header.field(token)], nil) }
    do {
      let proof = try prover.proof(for: method, url, token: token)
      return ([header.boundField(token), proof.field], proof.nonce)
    } catch {
      throw .failed("proving the token's key", why: error.reason, hint: "report this as a bug")
    }
  }
}

extension TokenHeader {
  /// Returns the field with a key-bound token (RFC 9449, section 7.1): the profile's prefix is for bearer tokens.
  func boundField(_ token: Secret) -> HTTPField {
    HTTPField(name: name, value: "DPoP \(token.exposed)")
  }
}
