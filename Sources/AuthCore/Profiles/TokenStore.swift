/// Where the tokens of a profile are stored. The raw value is the word in the profile.
package enum TokenStore: String, Sendable, CaseIterable {
  /// In the keyring, for all processes.
  case keyring
  /// Nowhere: each process requests its own token.
  case nothing = "none"
}

extension Profile {
  /// Whether nothing is stored, and each process requests its own token without a login.
  package var isOnDemand: Bool { store == .nothing }

  /// Whether the grant is repeated instead of using a refresh token, which is then not kept (RFC 6749, section 4.4.3).
  package var repeatsGrant: Bool { isOnDemand || subjectToken.source != nil }

  /// Checks that a profile without a store names everything that a token request needs.
  func checkStore() throws(ProfileFault) {
    guard isOnDemand else { return }
    guard [.clientCredentials, .jwtBearer, .tokenExchange].contains(flow) else {
      throw ProfileFault(
        ["store"], why: "store = \"none\" needs a flow that can be repeated without a person, not \(flow.rawValue)",
        hint: "set flow to client-credentials, jwt-bearer or token-exchange, or store to \"keyring\"")
    }
    guard flow != .tokenExchange || subjectToken.source != nil else {
      throw .missing(
        "subject_token_file", at: ["store"], "store = \"none\" needs 'subject_token_file': no token is stored",
        add: "subject_token_file = \"/path\", or subject_token_command = [\"…\"]")
    }
    guard !clientID.isEmpty else {
      throw .missing(
        "client_id", at: ["store"], "store = \"none\" needs 'client_id': a registered client is in the keyring",
        add: "client_id = \"…\" as registered at the server")
    }
    guard !clientAuthentication.needsSecret || clientSecretFile != nil else {
      throw .missing(
        "client_secret_file", at: ["store"], "store = \"none\" needs 'client_secret_file': no secret is stored",
        add: "client_secret_file = \"/path\", or \"credential:NAME\"")
    }
    let signs = clientAuthentication == .privateKeyJWT || flow == .jwtBearer && subjectToken.source == nil
    guard !signs || assertion.key != nil else {
      throw .missing(
        "assertion_key", at: ["store"], "store = \"none\" needs 'assertion_key': no key is stored",
        add: "assertion_key = \"/path\", or \"credential:NAME\"")
    }
  }
}
