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

  /// The flows that can be repeated without a person, and so need no store.
  private static let repeatableFlows: [Flow] = [.clientCredentials, .jwtBearer]

  /// Checks that a profile without a store names everything that a token request needs.
  func checkStore() throws(ProfileFault) {
    guard isOnDemand else { return }
    guard Profile.repeatableFlows.contains(flow) else {
      let words = Profile.repeatableFlows.map(\.rawValue).joined(separator: " or ")
      throw ProfileFault(
        ["store"], why: "store = \"none\" needs a flow that can be repeated without a person, not \(flow.rawValue)",
        hint: "set flow to \(words), or store to \"keyring\"")
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
    let signs = clientAuthentication == .privateKeyJWT || flow == .jwtBearer
    guard !signs || assertion.key != nil else {
      throw .missing(
        "assertion_key", at: ["store"], "store = \"none\" needs 'assertion_key': no key is stored",
        add: "assertion_key = \"/path\", or \"credential:NAME\"")
    }
  }
}
