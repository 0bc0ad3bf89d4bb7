import AuthCore

/// A login without OAuth: by a request that the profile describes, or by a user name and a password.
struct PlainLogin: Sendable {
  private let invocation: Invocation
  private let context: Context

  init(_ invocation: Invocation, _ context: Context) {
    self.invocation = invocation
    self.context = context
  }

  /// Refuses `--field` where there is no request to fill.
  func checkOptions(of profile: Profile) throws(AuthError) {
    guard invocation.has(LoginOptions.field) else { return }
    guard profile.custom?.takesTokens != true else {
      throw .usage(
        .init(
          "--field", why: "--flow token reads tokens from standard input: there is no request to fill",
          hint: "remove it, or choose a request with --flow NAME"))
    }
    guard profile.type != .custom else { return }
    throw .usage(
      .init(
        "--field", why: "profile \(profile.name) is of type \(profile.type.rawValue): it has no request to fill",
        hint: "remove it, or describe the server's requests in a profile of type custom"))
  }

  /// What is to be stored.
  func pair(_ server: AuthorizationServer, _ input: SecretInput) async throws -> TokenPair {
    let profile = server.profile
    guard let custom = profile.custom else { return try password(profile, input) }
    let login = CustomLogin(
      profile, server: custom, connection: server.connection, imageFitting: context.imageFitting)
    if custom.takesTokens { return try login.tokens(try input.tokens()) }
    let request = try custom.loginRequest(of: profile.name)
    let values = try FieldInput(invocation, context).values(of: request, custom, profile, input)
    return try await login.pair(request, values)
  }

  private func password(_ profile: Profile, _ input: SecretInput) throws -> TokenPair {
    if profile.flow == .token { return try given(profile, input) }
    let username = try input.username(of: profile)
    guard let credentials = BasicCredentials(username: username, password: try input.password(of: username, profile))
    else {
      throw AuthError.usage(
        .init(
          "the user name or the password", why: "it contains a character that HTTP Basic can't carry",
          hint: "neither may have a control character, the name no colon"))
    }
    return TokenPair(credentials, issuedAt: context.now())
  }

  /// Takes what stands after `Basic` in the header (RFC 7617), in place of a token.
  private func given(_ profile: Profile, _ input: SecretInput) throws -> TokenPair {
    let text = try input.tokens().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let credentials = BasicCredentials(encoded: Secret(text)) else {
      throw AuthError.usage(
        .init(
          "the credentials on standard input", why: "they are not the Base64 form of USER:PASSWORD",
          hint: "log in without --flow token, which asks for the password"))
    }
    guard profile.username == credentials.username else {
      throw AuthError.usage(
        .init(
          "the credentials on standard input", why: "they belong to a different user than the profile's username",
          hint: "give those of the profile's user, or log in to a profile of another name"))
    }
    return TokenPair(credentials, issuedAt: context.now())
  }
}
