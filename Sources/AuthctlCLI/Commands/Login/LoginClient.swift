import AuthCore
import SystemPackage

/// The client of a login: which one it is, and how it authenticates at the server.
struct LoginClient: Sendable {
  /// Prompts for its secret.
  let input: SecretInput

  private var arguments: LoginArguments { input.arguments }
  private var context: Context { input.context }

  /// Checks that there is a client to log in with.
  ///
  /// - Parameter hasFile: whether the profile's file exists.
  /// - Throws: ``AuthError/usage(_:)`` with the redirect URI to register and the command to type.
  func prove(_ profile: Profile, hasFile: Bool) throws(AuthError) {
    guard profile.lacksClient else { return }
    let next =
      hasFile
      ? "add client_id = \"…\" to \(context.profiles.file(of: profile.name))"
      : "run: \(arguments.command(adding: "--client-id ID", to: profile.name))"
    let uris = profile.redirectURI.map(\.string).joined(separator: ", ")
    throw .usage(
      .init(
        "profile \(profile.name)", why: "client_id is missing",
        hint: "register a client at \(Escaped.text(profile.issuer ?? "")) with the redirect URI \(uris), then \(next)"))
  }

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
