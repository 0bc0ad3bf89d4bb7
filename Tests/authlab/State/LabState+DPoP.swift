import Crypto
import Foundation

/// Proofs of possession (RFC 9449).
extension LabState {
  /// Asks for another nonce from now on.
  func renewNonce() {
    dpopNonce = RandomToken.make()
    dpopNonceUses = 0
  }

  /// Verifies the proof of a request and returns the thumbprint of its key; nil where it has none.
  ///
  /// - Parameter accessToken: the token that goes with it; nil at the token endpoint.
  /// - Throws: `OAuthError` with `invalid_dpop_proof` or `use_dpop_nonce`.
  func verifyProof(
    _ request: Request, needsNonce: Bool, accessToken: String? = nil
  ) throws(OAuthError) -> String? {
    let fields = request.headers.fields.filter { $0.name.lowercased() == "dpop" }
    guard settings.dpop, let text = fields.first?.value else { return nil }
    guard fields.count == 1 else { throw DPoPProof.invalid("There are several proofs.") }
    let proof = try DPoPProof(
      text, method: request.method, url: origin + request.path, now: wallClock(), tolerance: settings.dpopTolerance)
    if let accessToken, proof.tokenHash != Base64URL.encode(SHA256.hash(data: Data(accessToken.utf8))) {
      throw DPoPProof.invalid("The proof is for another token.")
    }
    if needsNonce, proof.nonce != dpopNonce { throw OAuthError("use_dpop_nonce", "The proof needs the nonce.") }
    guard usedProofs.insert(proof.identifier).inserted else { throw DPoPProof.invalid("The proof was used before.") }
    count("dpop.proof")
    if needsNonce { dpopNonceUses += 1 }
    if settings.dpopNonceUses > 0, dpopNonceUses >= settings.dpopNonceUses { renewNonce() }
    return proof.thumbprint
  }

  /// Refuses a code or a refresh token that is bound to another key (RFC 9449, sections 5 and 10).
  /// - Throws: `OAuthError` with `invalid_grant`.
  func checkBinding(_ form: FormFields, thumbprint: String?) throws(OAuthError) {
    let code = form["code"].flatMap { codes[$0]?.request.dpopThumbprint }
    let family = form["refresh_token"].flatMap { refreshTokens[$0]?.family }
    guard let bound = code ?? family.flatMap({ families[$0]?.thumbprint }) else { return }
    guard bound == thumbprint else { throw OAuthError("invalid_grant", "The grant is bound to another key.") }
  }

  /// Binds what was issued to a key: the refresh token too where the client is public (RFC 9449, section 5).
  func bind(_ tokens: TokenResponse, to thumbprint: String, client: Client) -> TokenResponse {
    guard let family = accessTokens[tokens.accessToken]?.family else { return tokens }
    if client.secret == nil { families[family]?.thumbprint = thumbprint }
    // A server may bind the refresh token only.
    guard settings.tokenType == "Bearer" else { return tokens }
    accessTokens[tokens.accessToken]?.thumbprint = thumbprint
    var bound = tokens
    bound.isBound = true
    return bound
  }
}
