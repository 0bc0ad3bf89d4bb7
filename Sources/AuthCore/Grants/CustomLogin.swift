/// A login with a request that a profile describes.
package struct CustomLogin: Sendable {
  let profile: Profile
  let server: CustomServer
  let connection: ServerConnection
  private let imageFitting: @Sendable () -> any ImageFitting

  /// Prepares a login without sending a request.
  ///
  /// - Parameter imageFitting: called only if an image must be fitted.
  package init(
    _ profile: Profile, server: CustomServer, connection: ServerConnection,
    imageFitting: @escaping @Sendable () -> any ImageFitting
  ) {
    self.profile = profile
    self.server = server
    self.connection = connection
    self.imageFitting = imageFitting
  }

  /// Sends the request once, and creates a pair from the tokens in its response.
  ///
  /// - Throws: ``AuthError/refused(_:)`` if the server refuses or its response has no token.
  package func pair(_ request: CustomRequest, _ values: RequestValues) async throws(AuthError) -> TokenPair {
    let transfer = try await request.filled(values, imageFitting: imageFitting)
    let exchange = CustomEndpoint(server: server, connection: connection)
    let response: TokenEndpoint.Response
    do throws(TokenEndpoint.Failure) {
      response = try await exchange.tokens(transfer, values)
    } catch {
      throw error.loginError(
        "logging in to \(profile.name)", at: exchange.shown(transfer, values),
        malformed: "check [requests.\(server.flow)] and [response] in the profile"
      ) { _ in "check the input, or log in again" }
    }
    var pair = TokenPair(
      response.tokens.stating(refreshTokenLifetime: profile.refreshTokenLifetime), sentAt: response.sentAt,
      serverDate: response.serverDate, lifetime: profile.accessTokenLifetime,
      server: server.record(transfer.url.origin), clock: response.clock)
    pair.flow = server.flow
    return pair
  }
}
