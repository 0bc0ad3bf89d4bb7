import AuthCore

/// The checks of the redirect URI of a browser login.
struct RedirectChecks: Sendable {
  /// The server, with the client of the login.
  let server: AuthorizationServer
  /// What the checks use.
  let context: Context

  private var profile: Profile { server.profile }
  private var edit: String { "authctl profile edit \(profile.name)" }

  /// Returns whether one of the ports is free.
  func port() -> [DoctorFinding] {
    guard profile.type == .oauth2, profile.flow == .browser else { return [] }
    let failure = context.portCheck.failure(of: profile.redirectURI)
    return failure.map { [.error(.redirect, $0, hint: "run: \(edit)")] } ?? []
  }

  /// Sends the authorization request of a login without a browser, for each redirect URI.
  func findings(_ metadata: ServerMetadata?) async -> [DoctorFinding] {
    var findings = port()
    let isBusy = !findings.isEmpty
    for uri in profile.redirectURI {
      let text = uri.string(port: uri.port ?? context.redirectPorts.first ?? 0)
      if let finding = await finding(text, shown: uri.string, metadata), !findings.contains(finding) {
        findings.append(finding)
      }
    }
    // A busy port is reported: an accepted URI is not reported then.
    return isBusy ? findings.filter { $0.level != .ok } : findings
  }

  private func finding(_ uri: String, shown: String, _ metadata: ServerMetadata?) async -> DoctorFinding? {
    let what = "\(shown) of \(Escaped.text(profile.clientID, limit: 80))"
    do throws(AuthError) {
      let login = Login(server, metadata: metadata, clientSecret: try await secret(metadata)).unattended
      let request = try await login.pushed(login.authorizationRequest(redirectURI: uri, random: context.random))
      guard let response = await login.unattendedResponse(to: request) else { return nil }
      return finding(response, of: request.url, what)
    } catch {
      guard case .refused = error else { return nil }
      return .error(.redirect, error, hint: "register \(shown) at the server, or run: \(edit)")
    }
  }

  /// The client's secret, with which a request is pushed.
  private func secret(_ metadata: ServerMetadata?) async throws(AuthError) -> Secret? {
    guard metadata?.pushedAuthorizationRequestEndpoint != nil || profile.endpoints.pushedAuthorizationRequest != nil
    else { return nil }
    return try await server.clientSecret(for: metadata)
  }

  private func finding(_ response: UnattendedResponse, of url: WebURL, _ what: String) -> DoctorFinding {
    switch response {
    case .redirect(let error): return redirectFinding(error, what)
    case .page: return .ok(.redirect, "the server did not refuse \(what) without a browser")
    case .failure(400):
      return .error(
        .redirect, "the server does not accept the redirect URI \(what): \(url) returned 400",
        hint: "register it at the server, or set another redirect_uri: \(edit)", status: .refused)
    case .failure(let status):
      return .warning(
        .redirect, "\(url) returned \(status) without a browser",
        hint: "to see the server's message: authctl login \(profile.name)")
    }
  }

  /// Reads the error of a response that goes to the redirect URI: the server has accepted the URI.
  private func redirectFinding(_ error: String?, _ what: String) -> DoctorFinding {
    let refusals: Set<String> = [
      "invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope",
    ]
    guard let error, refusals.contains(error) else {
      return .ok(.redirect, "the server accepts \(what)")
    }
    let isScope = error == "invalid_scope"
    let scope = isScope ? " for the scope \(Escaped.text(profile.scope.joined(separator: " ")))" : ""
    return .warning(
      isScope ? .scope : .client, "the authorization endpoint returned \(error)\(scope)",
      hint: "to see the server's message: authctl login \(profile.name)")
  }
}
