import AuthCore

/// The secret with which the client of a login authenticates at the server.
struct LoginClientSecret: Sendable {
  private let input: SecretInput
  /// The client secret that the user has given or entered; nil for none.
  var given: Secret?
  /// The key of the client that the user has given; nil for none.
  let key: Secret?

  /// Reads what the options name.
  ///
  /// - Throws: ``AuthError`` if it can't be read.
  init(_ input: SecretInput, of profile: Profile) throws(AuthError) {
    self.input = input
    given = try input.clientSecret(of: profile)
    key = try input.clientKey(of: profile)
  }

  /// Prompts for a client secret that is needed, and neither given nor stored for this server.
  mutating func ask(for server: AuthorizationServer, _ metadata: ServerMetadata?) async throws(AuthError) {
    let profile = server.profile
    guard given == nil, profile.type == .oauth2, profile.clientAuthentication.needsSecret, profile.flow != .token else {
      return
    }
    do {
      _ = try await server.clientSecret(for: metadata)
    } catch {
      guard case .loginRequired(let explanation) = error else { throw error }
      given = try input.askClientSecret(of: profile, why: explanation.why)
    }
  }

  /// Returns the secret or key with which the client authenticates in this login; nil if it does not.
  func secret(of server: AuthorizationServer, at metadata: ServerMetadata?) async throws(AuthError) -> Secret? {
    guard server.profile.flow != .token else { return nil }
    if let given { return given }
    if server.profile.clientAuthentication == .privateKeyJWT, let key { return key }
    return try await server.clientSecret(for: metadata)
  }
}
