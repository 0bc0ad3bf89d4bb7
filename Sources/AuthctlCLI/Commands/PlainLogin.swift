import AuthCore

/// A login without OAuth: by a request that the profile describes, or by a user name and a password.
struct PlainLogin: Sendable {
  private let invocation: Invocation
  private let context: Context
  private let settings: Settings

  init(_ invocation: Invocation, _ context: Context, _ settings: Settings) {
    self.invocation = invocation
    self.context = context
    self.settings = settings
  }

  /// Refuses `--field` where there is no request to fill.
  func checkOptions(of profile: Profile) throws(AuthError) {
    guard profile.type != .custom, invocation.has(LoginOptions.field) else { return }
    throw .usage(
      .init(
        "--field", why: "profile \(profile.name) is of type \(profile.type.rawValue): it has no request to fill",
        hint: "leave it out, or describe the server's requests in a profile of type custom"))
  }

  /// What is to be stored.
  func pair(_ session: ProfileSession, _ input: SecretInput) async throws -> TokenPair {
    let profile = session.profile
    guard let server = profile.custom else { return try password(profile, input) }
    let request = try server.loginRequest(of: profile.name)
    let values = try FieldInput(invocation, context, settings).values(of: request, server, profile, input)
    let login = CustomLogin(
      profile, server: server, connection: session.server.connection, imageFitting: context.imageFitting)
    return try await login.pair(request, values)
  }

  private func password(_ profile: Profile, _ input: SecretInput) throws -> TokenPair {
    guard let credentials = BasicCredentials(username: try input.username(of: profile), password: try input.password())
    else {
      throw AuthError.usage(
        .init(
          "the user name or the password", why: "it has a character in it that HTTP Basic can't carry",
          hint: "neither may have a control character, the name no colon"))
    }
    return TokenPair(credentials, issuedAt: context.now())
  }
}
