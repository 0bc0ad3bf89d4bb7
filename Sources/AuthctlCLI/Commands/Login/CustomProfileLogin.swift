import AuthCore

/// A login to a custom server with one of the requests that the profile describes.
struct CustomProfileLogin: Sendable {
  private let arguments: LoginArguments
  private let context: Context

  init(_ arguments: LoginArguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  /// Sends the request, or reads tokens from standard input, and returns the pair to store.
  func pair(_ server: AuthorizationServer, _ custom: CustomServer) async throws -> TokenPair {
    let profile = server.profile
    let input = SecretInput(arguments, context)
    let login = CustomLogin(
      profile, server: custom, connection: server.connection, imageFitting: context.imageFitting)
    if custom.takesTokens { return try login.tokens(try input.tokens()) }
    let request = try custom.loginRequest(of: profile.name)
    return try await login.pair(request, FieldInput(arguments, context).values(of: request, custom, profile, input))
  }
}
