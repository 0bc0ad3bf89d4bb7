extension Login {
  /// Notes to which key the tokens are bound.
  ///
  /// A server may answer `Bearer` although a proof was sent (RFC 9449, section 5): its API then takes the token without
  /// any, but the refresh token may be bound all the same.
  func bind(_ pair: inout TokenPair) {
    let isDPoP = pair.tokenType.lowercased() == "dpop"
    pair.dpopThumbprint = server.prover?.key.thumbprint
    if server.prover != nil, !isDPoP {
      server.connection.events(
        .warning(
          "the server did not bind the access token to the key (token_type is not DPoP): it is sent as a bearer token"))
    }
    if server.prover == nil, isDPoP {
      server.connection.events(
        .warning(
          "the server reports a token bound to a key, but got none: if the API refuses the token, add"
            + " dpop = true to the profile and log in again"))
    }
  }
}

extension TokenPair {
  /// Whether the access token goes with proofs.
  public var needsProof: Bool { dpopThumbprint != nil && tokenType.lowercased() == "dpop" }
}
