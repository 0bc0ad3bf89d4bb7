import AuthCore

/// The client of a login and its authentication at the server.
struct LoginClient: Sendable {
  /// Prompts for its secret.
  let input: SecretInput

  /// Prompts for the client secret if none is stored for this server; nil if it is not needed.
  func missingSecret(
    _ server: AuthorizationServer, _ metadata: ServerMetadata?
  ) async throws(AuthError) -> Secret? {
    let profile = server.profile
    guard profile.type == .oauth2, profile.clientAuthentication.needsSecret, profile.flow != .token else { return nil }
    do {
      _ = try await server.clientSecret(for: metadata)
      return nil
    } catch {
      guard case .loginRequired(let explanation) = error else { throw error }
      return try input.askClientSecret(of: profile, why: explanation.why)
    }
  }

  /// Returns the secret or key with which the client authenticates in this login; nil if it does not.
  func secret(
    of server: AuthorizationServer, at metadata: ServerMetadata?, given: Secret?, key: Secret?
  ) async throws(AuthError) -> Secret? {
    guard server.profile.flow != .token else { return nil }
    if let given { return given }
    if server.profile.clientAuthentication == .privateKeyJWT, let key { return key }
    return try await server.clientSecret(for: metadata)
  }
}
