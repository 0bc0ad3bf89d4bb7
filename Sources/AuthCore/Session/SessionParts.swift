/// What a session is made of, by the kind of its profile's server: where its secrets are, and who renews and revokes.
struct SessionParts: Sendable {
  /// Where the tokens are kept.
  let storage: any TokenStorage
  /// Who renews them.
  let renewal: any TokenRenewal
  /// Who revokes them.
  let revocation: any TokenRevocation

  init(_ server: AuthorizationServer) {
    let profile = server.profile
    switch (profile.type, profile.custom) {
    case (.basic, _):
      storage = StoredPassword(server.secrets, profile: profile, now: server.connection.now)
      renewal = NoRenewal(session: profile.name.string)
      revocation = NoRevocation()
    case (.custom, let custom?):
      storage = StoredTokens(server.secrets, profile: profile.name.string)
      renewal = CustomRenewal(profile, server: custom, connection: server.connection)
      revocation = CustomRevocation(server: custom, connection: server.connection)
    case (.oauth2, _), (.custom, nil):
      storage = StoredTokens(server.secrets, profile: profile.name.string)
      renewal = OAuthRenewal(server)
      revocation = server
    }
  }
}

/// Where nothing can be renewed: a password is good until it is changed.
struct NoRenewal: TokenRenewal {
  let session: String

  func canRenew(_ pair: TokenPair) -> Bool { false }

  func renew(_ pair: TokenPair) async throws(RenewalFailure) -> TokenPair {
    throw .other(
      .usage(
        .init(
          "profile \(session)", why: "it has a password, and nothing to renew",
          hint: "if the password has changed: authctl login \(session)")))
  }
}
