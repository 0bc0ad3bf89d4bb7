extension Profile {
  /// Reads how the client signs.
  mutating func readAssertion(_ root: ProfileTable) throws(AuthError) {
    assertion.key = try root.string("assertion_key")
    assertion.keyID = try root.string("assertion_key_id")
    assertion.algorithm = try root.choice("assertion_algorithm")
    assertion.audience = try root.string("assertion_audience")
  }

  /// Checks what the authentication of the client needs, and what would go wrong only at the server.
  func checkClient(_ root: ProfileTable) throws(AuthError) {
    try checkAlgorithm(root)
    if clientAuthentication == .tls, network.clientCertificate == nil || network.clientKey == nil {
      let missing = network.clientCertificate == nil ? "client_certificate" : "client_key"
      throw root.error(
        root.has("network") ? "network" : "client_authentication", "tls_client_auth needs '\(missing)' in [network]",
        hint: "add \(missing) = \"/path/to/file.pem\" to [network]; one file may hold both")
    }
    for text in resource where !text.contains(":") || text.contains("#") {
      throw root.error(
        "resource", "'resource' has '\(Escaped.text(text))', which is no absolute URI without a fragment",
        hint: "write it like https://api.example.com (RFC 8707, section 2)")
    }
  }

  private func checkAlgorithm(_ root: ProfileTable) throws(AuthError) {
    guard let algorithm = assertion.algorithm else { return }
    let wanted: String
    switch clientAuthentication {
    case .secretJWT where !algorithm.isSymmetric && flow != .jwtBearer: wanted = "HS256, HS384, HS512"
    case .privateKeyJWT where algorithm.isSymmetric: wanted = "RS256, PS256, ES256, EdDSA"
    default: return
    }
    throw root.error(
      "assertion_algorithm", "\(clientAuthentication.rawValue) can't sign with \(algorithm.rawValue)",
      hint: "remove it, or set it to \(wanted) or similar")
  }
}

/// How a login gets its tokens; the raw value is the word in a profile and after `--flow`.
package enum Flow: String, Sendable, CaseIterable {
  /// The authorization code grant with PKCE and a loopback redirect (RFC 6749, section 4.1; RFC 7636; RFC 8252).
  case browser
  /// The device authorization grant: a person approves on another device (RFC 8628).
  case device
  /// The resource owner password credentials grant (RFC 6749, section 4.3).
  case password
  /// The client credentials grant (RFC 6749, section 4.4); it is renewed by asking again.
  case clientCredentials = "client-credentials"
  /// An assertion as the grant (RFC 7523, section 2.1): signed with the client's key, or given.
  case jwtBearer = "jwt-bearer"
  /// A token for another token (RFC 8693).
  case tokenExchange = "token-exchange"
  /// Tokens that were got elsewhere, read from standard input.
  case token
}
