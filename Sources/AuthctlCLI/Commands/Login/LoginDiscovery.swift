import AuthCore

/// What `login --discover` makes of an API's address: the settings of a new profile (RFC 9728).
struct LoginDiscovery: Sendable {
  private let invocation: Invocation
  private let context: Context

  init(_ invocation: Invocation, _ context: Context) {
    self.invocation = invocation
    self.context = context
  }

  /// Asks the API where the option is given; nil where it is not.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where something is missing that only the person knows, with all that was found;
  ///   else as `ResourceDiscovery`.
  func settings(of name: ProfileName) async throws(AuthError) -> DiscoveredSettings? {
    guard let text = invocation.value(LoginOptions.discover) else { return nil }
    guard [nil, ProfileType.oauth2.rawValue].contains(given("type")) else {
      throw .usage(
        .init("--discover", why: "it supports type oauth2 only", hint: "remove --discover or --type"))
    }
    let finding = try await ResourceDiscovery(LoginDiscovery.url(text), connection: connection).find()
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
    let values = found.filter { given($0.key) == nil }
    tell(finding, issuer: issuer, url, asksForScope: values["scope"] != nil || given("scope") != nil)
    let scopes = finding.metadata.scopesSupported.joined(separator: " ")
    return DiscoveredSettings(
      values: values,
      remarks: ["Found by --discover \(url) at \(finding.url)."]
        + (scopes.isEmpty ? [] : ["The scopes of the API: \(scopes)"]))
  }

  /// The value of an option for a profile's setting; empty where it has none, nil where it was not given.
  private func given(_ key: String) -> String? {
    guard let option = ProfileSetting.all.first(where: { $0.key.name == key })?.option, invocation.has(option) else {
      return nil
    }
    return invocation.value(option) ?? ""
  }

  private var connection: ServerConnection {
    let trace = Trace(context)
    return ServerConnection(
      transport: context.transport(), network: network, userAgent: Context.userAgent, now: context.now,
      boot: context.boot, events: trace.events, trace: trace.wire)
  }

  /// That of the new profile; an unusable duration is refused with the other settings.
  private var network: NetworkOptions {
    NetworkOptions(
      cacert: given("cacert").map(context.paths.absolute), proxy: given("proxy"),
      clientCertificate: given("client_certificate").map(context.paths.absolute),
      clientKey: given("client_key").map(context.paths.absolute),
      connectTimeout: given("connect_timeout").flatMap { DurationText.parse($0) })
  }

  private static func url(_ text: String) throws(AuthError) -> WebURL {
    let why: String
    do {
      let url = try WebURL(text)
      if url.origin.isSecure { return url }
      why = "it is plain http: anybody on the network could change it"
    } catch {
      why = "it is not a usable URL: \(error)"
    }
    throw .usage(
      .init(
        "--discover \(SecretText.redacted(Escaped.text(text)))", why: why,
        hint: "use the API's URL: https://host/path"))
  }

  /// The one authorization server, or the one of several that is chosen.
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
      events(.warning("the API says that it accepts no token in the header, the only place where it is sent"))
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
  /// What a reader of the file should know, a line each.
  let remarks: [String]
}
