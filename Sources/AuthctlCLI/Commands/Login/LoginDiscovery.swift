import AuthCore

/// Discovers the settings of a new profile from an API's URL for `login --discover` (RFC 9728).
struct LoginDiscovery: Sendable {
  private let url: WebURL
  private let draft: ProfileDraft
  private let context: Context

  /// - Parameter draft: the settings that were given; they override what is discovered.
  init(_ url: WebURL, _ draft: ProfileDraft, _ context: Context) {
    self.url = url
    self.draft = draft
    self.context = context
  }

  /// Discovers the settings from the API.
  ///
  /// - Throws: ``AuthError/usage(_:)``, with all settings found, if one is missing that only the user knows; otherwise
  ///   the errors of `ResourceDiscovery`.
  func settings(of name: ProfileName) async throws(AuthError) -> DiscoveredSettings {
    let finding = try await ResourceDiscovery(url, connection: connection).find()
    let url = finding.api
    let issuer = try issuer(finding.metadata, of: url)
    try checkClient(finding, issuer: issuer, url, name)
    let metadata = finding.metadata
    var found: [String: JSONValue] = [
      "issuer": .string(issuer), "api": .array([.string(url.description)]),
      "resource": .array([.string(metadata.resource)]),
    ]
    if !finding.challengedScope.isEmpty { found["scope"] = .array(finding.challengedScope.map { .string($0) }) }
    if metadata.dpopBoundAccessTokensRequired { found["dpop"] = .bool(true) }
    let values = found.filter { draft[$0.key] == nil }
    tell(finding, issuer: issuer, url, asksForScope: values["scope"] != nil || draft["scope"] != nil)
    let scopes = finding.metadata.scopesSupported.joined(separator: " ")
    return DiscoveredSettings(
      values: values,
      remarks: ["Found by --discover \(url) at \(finding.url)."]
        + (scopes.isEmpty ? [] : ["The scopes of the API: \(scopes)"]))
  }

  private var connection: ServerConnection {
    let trace = Trace(context)
    return ServerConnection(
      transport: context.transport(), network: network, userAgent: Context.userAgent, now: context.now,
      boot: context.boot, events: trace.events, trace: trace.wire)
  }

  /// The connection options of the new profile. An invalid duration is refused later, with the other settings.
  private var network: NetworkOptions {
    NetworkOptions(
      cacert: given("network.cacert"), proxy: given("network.proxy"),
      clientCertificate: given("network.client_certificate"), clientKey: given("network.client_key"),
      connectTimeout: given("network.connect_timeout").flatMap { DurationText.parse($0) })
  }

  private func given(_ key: String) -> String? { draft[key]?.string }

  /// Returns the only authorization server, or the chosen one if there are several.
  private func issuer(_ metadata: ProtectedResourceMetadata, of url: WebURL) throws(AuthError) -> String {
    let named = metadata.authorizationServers
    let shown = named.map { Escaped.text($0) }.joined(separator: ", ")
    if let chosen = given("issuer") {
      guard named.isEmpty || named.contains(chosen) else {
        throw .usage(
          .init(
            "--issuer \(Escaped.text(chosen))", why: "\(url) accepts tokens of another server: \(shown)",
            hint: "use that one, or remove --discover"))
      }
      return chosen
    }
    guard let first = named.first else {
      throw .refused(
        .init(
          "discovery of \(url)", why: "its metadata names no authorization server",
          hint: "ask the API's operator for it, and add --issuer URL"))
    }
    guard named.count == 1 else {
      throw .usage(
        .init(
          "discovery of \(url)", why: "it accepts tokens of several authorization servers: \(shown)",
          hint: "choose one: --issuer \(ShellWord.quoted(first))"))
    }
    return first
  }

  private func checkClient(
    _ finding: ResourceDiscovery.Finding, issuer: String, _ url: WebURL, _ name: ProfileName
  ) throws(AuthError) {
    guard given("client_id") == nil, given("flow") != Flow.token.rawValue else { return }
    let scopes = finding.metadata.scopesSupported.joined(separator: " ")
    let known = scopes.isEmpty ? "" : ", its scopes: \(Escaped.text(scopes))"
    throw .usage(
      .init(
        "profile \(name)",
        why:
          "client_id is missing; found at \(finding.url): the API accepts tokens of \(Escaped.text(issuer))\(known)",
        hint: "register a client there, then: authctl login \(name) --discover \(ShellWord.quoted(url.description))"
          + " --client-id ID"))
  }

  private func tell(_ finding: ResourceDiscovery.Finding, issuer: String, _ url: WebURL, asksForScope: Bool) {
    let events = Trace(context).events
    if finding.metadata.bearerMethodsSupported?.contains("header") == false {
      events(.warning("according to its metadata, the API accepts no token in the header, where authctl sends it"))
    }
    guard !context.verbosity.quiet else { return }
    context.console.note("authctl: \(url) accepts tokens of \(Escaped.text(issuer)), according to \(finding.url)")
    guard !asksForScope, !finding.metadata.scopesSupported.isEmpty else { return }
    let scopes = finding.metadata.scopesSupported.joined(separator: " ")
    context.console.note(
      "authctl: no scope requested, the server decides; available for --scope: \(Escaped.text(scopes))")
  }
}

/// Settings of a new profile that the user has not entered, because an API publishes them.
struct DiscoveredSettings: Sendable, Equatable {
  /// The values, by their keys in a profile's file.
  let values: [String: JSONValue]
  /// Comments for the profile's file, one line each.
  let remarks: [String]
}
