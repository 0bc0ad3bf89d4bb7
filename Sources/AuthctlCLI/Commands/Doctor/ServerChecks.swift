import AuthCore

/// The checks of a profile's authorization server: metadata, client, redirect URI.
struct ServerChecks: Sendable {
  /// The server.
  let server: AuthorizationServer
  /// What the checks use.
  let context: Context
  /// The log of the requests to the server.
  let requests: RequestLog

  /// What a server publishes about itself.
  struct Published: Sendable {
    /// The documents; nil if the profile has no issuer.
    var report: DiscoveryReport?
    /// The reason why none was requested; nil if they were.
    var error: AuthError?
  }

  private var profile: Profile { server.profile }
  private var edit: String { "authctl profile edit \(profile.name)" }

  /// Fetches the server's metadata. Of a server that publishes none, only the connection is checked.
  func metadata() async -> Published {
    do throws(AuthError) {
      if profile.type == .oauth2 { return Published(report: try await server.discoveryReport()) }
    } catch {
      return Published(error: error)
    }
    await withTaskGroup { group in
      for origin in profile.custom?.origins ?? [] {
        guard let url = try? WebURL(origin.string + "/") else { continue }
        // The log has recorded the outcome.
        group.addTask { _ = try? await server.connection.header(of: url) }
      }
    }
    return Published()
  }

  /// The origins of the authorization server.
  func origins(_ published: Published) -> Set<Origin> {
    let metadata = published.report?.metadata
    let endpoints = [
      profile.issuer.flatMap { try? WebURL($0) }, profile.endpoints.token ?? metadata?.tokenEndpoint,
      profile.endpoints.authorization ?? metadata?.authorizationEndpoint,
    ]
    return Set(endpoints.compactMap { $0?.origin }).union(profile.custom?.origins ?? [])
  }

  /// Returns the results.
  func findings(_ published: Published, _ pair: TokenPair?) async -> [DoctorFinding] {
    if let error = published.error { return [.error(.metadata, error, hint: "run: \(edit)")] }
    let metadata = documents(published.report)
    guard profile.type == .oauth2, profile.flow != .token,
      published.report.map({ !$0.documents.isEmpty }) ?? true || profile.endpoints.token != nil
    else { return metadata }
    return metadata + (await client(published.report?.metadata, pair))
  }

  // MARK: - Metadata

  private func documents(_ report: DiscoveryReport?) -> [DoctorFinding] {
    guard let report, let issuer = profile.issuer else { return [] }
    guard report.documents.isEmpty else {
      let names = report.documents.map {
        $0.url.path.ends(withBytes: "openid-configuration") ? "OpenID Connect" : "RFC 8414"
      }
      return grants(report) + [.ok(.metadata, "\(issuer): \(names.joined(separator: " and "))")]
    }
    // If no response has arrived, the checks of the connection report it.
    if let origin = (try? WebURL(issuer))?.origin, requests.isSilent(origin) { return [] }
    let error = report.failure(of: issuer)
    guard profile.endpoints.token == nil else {
      return [
        .warning(
          .metadata, error.explanation.why, hint: "leave 'issuer' out if the server has no metadata; run: \(edit)")
      ]
    }
    return [.error(.metadata, error, hint: "run: \(edit)")]
  }

  private func grants(_ report: DiscoveryReport) -> [DoctorFinding] {
    guard let grants = report.strings("grant_types_supported"), let grant = profile.flow.grantType,
      !grants.contains(grant)
    else { return [] }
    return [
      .warning(
        .metadata, "the flow \(profile.flow.rawValue) needs the grant \(grant), which the server does not publish",
        hint: "if the login is refused, choose another flow; run: \(edit)")
    ]
  }

  // MARK: - The client

  private func client(_ metadata: ServerMetadata?, _ pair: TokenPair?) async -> [DoctorFinding] {
    let server: AuthorizationServer
    let verdict: AuthorizationServer.ClientVerdict?
    do throws(AuthError) {
      guard let known = try await serverWithClient(pair) else { return [] }
      server = known
      verdict = try await known.clientVerdict(metadata, of: pair, random: context.random())
    } catch {
      // The check of the machine reports a keyring that is unavailable.
      if case .storage = error { return [] }
      return [.error(.client, error)]
    }
    guard let verdict else { return [] }
    let finding = finding(verdict, clientID: server.profile.clientID)
    guard finding?.level != .error, profile.flow == .browser else { return finding.map { [$0] } ?? [] }
    let redirects = await RedirectChecks(server: server, context: context).findings(metadata)
    return (finding.map { [$0] } ?? []) + redirects
  }

  /// Returns the server with the client of the session, or that of the next login; nil if a login registers one.
  private func serverWithClient(_ pair: TokenPair?) async throws(AuthError) -> AuthorizationServer? {
    guard profile.lacksClient else { return profile.clientID.isEmpty ? nil : server }
    if let pair {
      let server = try await server.withClient(of: pair)
      if !server.profile.clientID.isEmpty { return server }
    }
    return try await server.registeredClient().map { server.with($0) }
  }

  private func finding(_ verdict: AuthorizationServer.ClientVerdict, clientID: String) -> DoctorFinding? {
    let id = Escaped.text(clientID, limit: 80)
    let fix =
      profile.clientAuthentication.needsSecret
      ? "; to enter another secret: authctl login \(profile.name)" : "; run: \(edit)"
    switch verdict {
    case .known: return .ok(.client, "the server knows \(id)")
    case .unknown(let words, let hint):
      return .error(
        .client, "the server does not know \(id), or refuses its authentication: it returned \(words)",
        hint: hint + fix, status: .refused)
    case .unauthorized(let words, let hint):
      let message =
        "the server does not allow \(id) the authorization code, or refuses its secret: it returned \(words)"
      guard profile.flow == .browser else { return .warning(.client, message, hint: hint + fix) }
      return .error(
        .client, message, hint: "ask the server's operator to allow this client the flow browser; also \(hint)\(fix)",
        status: .refused)
    case .unclear(let words): return .ok(.client, "the server has not refused \(id): it returned \(words)")
    case .unusable(let reason):
      return .warning(
        .client, reason, hint: "check the token endpoint, or ask the server's operator; run: \(edit)")
    case .unavailable(let reason):
      // If no response has arrived, the checks of the connection report it.
      guard requests.records.contains(where: { $0.error == nil }) else { return nil }
      return .error(
        .client, reason, hint: "ask the server's operator, or try again later: authctl doctor \(profile.name)",
        status: .tryLater)
    }
  }
}
