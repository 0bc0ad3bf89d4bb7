import HTTPTypes

/// What a request to the API carries: the token, and where it is bound to a key, what makes the proofs.
public struct APICredential: Sendable {
  /// The access token.
  public let token: Secret
  /// Makes a proof for each request; nil for a bearer token.
  let prover: DPoPProver?
  /// How long the token is not refreshed although the API refuses it, because it was refused right after it was issued;
  /// nil if a refusal leads to a refresh.
  public internal(set) var refreshPause: Duration?

  /// A bearer token.
  public init(_ token: Secret) {
    self.token = token
    prover = nil
  }

  /// A token that is bound to a key.
  init(_ token: Secret, prover: DPoPProver) {
    self.token = token
    self.prover = prover
  }

  /// The fields of one request, and the nonce in its proof.
  func fields(
    _ header: TokenHeader, for method: HTTPRequest.Method, _ url: WebURL
  ) throws(AuthError) -> (fields: [HTTPField], nonce: String?) {
    guard let prover else { return ([header.field(token)], nil) }
    do {
      let proof = try prover.proof(for: method, url, token: token)
      return ([header.boundField(token), proof.field], proof.nonce)
    } catch {
      throw .failed(.init("proving the token's key", why: error.reason, hint: "report this as a bug"))
    }
  }
}

extension TokenHeader {
  /// The field with a token that is bound to a key (RFC 9449, section 7.1): the profile's prefix is for bearer tokens.
  func boundField(_ token: Secret) -> HTTPField {
    HTTPField(name: name, value: "DPoP \(token.exposed)")
  }
}
