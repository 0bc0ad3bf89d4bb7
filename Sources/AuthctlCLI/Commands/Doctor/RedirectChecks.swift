import AuthCore
import HTTPTypes

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
      var quiet = server
      // The response is then a redirect without a page (OpenID Connect Core, section 3.1.2.1): no login begins.
      if profile.scope.contains("openid") { quiet = server.prompting("none") }
      let login = Login(quiet, metadata: metadata, clientSecret: try await secret(metadata))
      let request = try await login.pushed(login.authorizationRequest(redirectURI: uri, random: context.random))
      guard let response = try? await server.connection.head(of: request.url) else { return nil }
      return finding(response, of: request.url, what, uri)
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

  private func finding(_ response: TransferResponse, of url: WebURL, _ what: String, _ uri: String) -> DoctorFinding {
    let location = response.fields[.location] ?? ""
    switch response.status {
    case 300...399 where location.starts(withBytes: uri): return redirectFinding(location, what)
    // A page may be that of a login, or of an error.
    case 200...399: return .ok(.redirect, "the server did not refuse \(what) without a browser")
    case 400:
      return .error(
        .redirect, "the server does not accept the redirect URI \(what): \(url) returned 400",
        hint: "register it at the server, or set another redirect_uri: \(edit)", status: .refused)
    default:
      return .warning(
        .redirect, "\(url) returned \(response.status) without a browser",
        hint: "to see the server's message: authctl login \(profile.name)")
    }
  }

  /// Reads a response that goes to the redirect URI: the server has accepted the URI (RFC 6749, section 4.1.2.1).
  private func redirectFinding(_ location: String, _ what: String) -> DoctorFinding {
    let fields = (try? WebURL(location))?.query.map { query in
      query.split(atAny: "&").lazy.compactMap { $0.dropping(prefix: "error=") }.first
    }
    let refusals: Set<Substring> = [
      "invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope",
    ]
    guard let error = fields ?? nil, refusals.contains(error) else {
      return .ok(.redirect, "the server accepts \(what)")
    }
    let isScope = error == "invalid_scope"
    let scope = isScope ? " for the scope \(Escaped.text(profile.scope.joined(separator: " ")))" : ""
    return .warning(
      isScope ? .scope : .client, "the authorization endpoint returned \(error)\(scope)",
      hint: "to see the server's message: authctl login \(profile.name)")
  }
}
