/// What a session is made of, by the kind of its profile's server: where its secrets are, and who renews and revokes.
struct SessionBackend: Sendable {
  /// Where the tokens are kept.
  let storage: any TokenStorage
  /// Who renews them.
  let refresher: any TokenRefresher
  /// Who revokes them.
  let revocation: any TokenRevocation

  init(_ server: AuthorizationServer) {
    let profile = server.profile
    switch (profile.type, profile.custom) {
    case (.basic, _):
      storage = StoredPassword(server.secrets, profile: profile, now: server.connection.now)
      refresher = NoRefresher(session: profile.name.string)
      revocation = NoRevocation()
    case (.custom, let custom?):
      storage = StoredTokens(
        server.secrets, profile: profile.name.string, clock: { [connection = server.connection] in connection.reading })
      refresher = CustomRefresher(profile, server: custom, connection: server.connection)
      revocation = CustomRevocation(profile: profile, server: custom, connection: server.connection)
    case (.oauth2, _), (.custom, nil):
      storage = StoredTokens(
        server.secrets, profile: profile.name.string, clock: { [connection = server.connection] in connection.reading })
      refresher = OAuthRefresher(server)
      revocation = server
    }
  }
}
