import AuthCore

/// Discovers the settings of a new profile from the URL of an API (RFC 9728) or of an authorization server.
struct LoginDiscovery: Sendable {
  private let address: LoginAddress
  private let draft: ProfileDraft
  private let context: Context
  private var url: WebURL { address.url }

  /// - Parameter draft: the settings that were given; they override what is discovered.
  init(_ address: LoginAddress, _ draft: ProfileDraft, _ context: Context) {
    self.address = address
    self.draft = draft
    self.context = context
  }

  /// Discovers the settings, and prints them.
  ///
  /// - Parameter issuer: called with the error if nothing is found, and not because of an error that may pass; returns
  ///   the issuer to use.
  /// - Throws: ``AuthError/usage(_:)`` if a given setting contradicts a discovered one, ``AuthError/tryLater(_:)`` if a
  ///   server can't be reached, ``AuthError/refused(_:)`` if nothing usable is found.
  func settings(
    asking issuer: (AuthError) throws(AuthError) -> String = { error throws(AuthError) in throw error }
  ) async throws(AuthError) -> DiscoveredSettings {
    switch await api() {
    case .success(let finding): return try await settings(of: finding)
    case .failure(let failure) where failure.isFinal:
      throw LoginMiss(address, failure.misses).error(reportedTo: context)
    case .failure(let failure):
      if let issuer = given("issuer") { return try await settings(ofIssuer: issuer) }
      if failure.misses.contains(where: { $0.neighbourIssuer != nil }) {
        return try await settings(ofIssuer: try issuer(LoginMiss(address, failure.misses).error(reportedTo: context)))
      }
      switch await server(of: url, searchesAbove: true) {
      case .success(let server):
        report(server)
        return result(
          ["issuer": .string(server.issuer)], scope: [], server, remarks: ["Found from \(url.withoutRootSlash)."])
      case .failure(let further):
        let error = LoginMiss(address, failure.misses + further.misses).error(reportedTo: context)
        guard !further.isFinal, case .refused = error else { throw error }
        return try await settings(ofIssuer: try issuer(error))
      }
    }
  }

  private func api() async -> Result<ResourceDiscovery.Finding, DiscoveryFailure> {
    await asking(url) { () throws(DiscoveryFailure) in
      try await ResourceDiscovery(url, connection: connection).find()
    }
  }

  private func server(
    of url: WebURL, searchesAbove: Bool
  ) async -> Result<DiscoveredServer, DiscoveryFailure> {
    await asking(url) { () throws(DiscoveryFailure) in
      try await IssuerDiscovery(url, connection: connection, usesMTLS: usesMTLS, searchesAbove: searchesAbove).find()
    }
  }

  /// Runs a part of the discovery; on a terminal, a line shows the host after a while.
  private func asking<Found: Sendable>(
    _ url: WebURL, _ find: () async throws(DiscoveryFailure) -> Found
  ) async -> Result<Found, DiscoveryFailure> {
    do throws(DiscoveryFailure) {
      return .success(try await AskingLine(context).during(url.origin.host, find))
    } catch {
      return .failure(error)
    }
  }

  // MARK: - An API

  private func settings(of finding: ResourceDiscovery.Finding) async throws(AuthError) -> DiscoveredSettings {
    let metadata = finding.metadata
    report(metadata)
    let issuer = try issuer(metadata)
    let server = try await server(issuer, of: metadata)
    var found: [String: JSONValue] = [
      "issuer": .string(server?.issuer ?? issuer), "api": .array([.string(metadata.url.withoutRootSlash)]),
    ]
    if isOfGivenAPI(metadata) { found["resource"] = .array([.string(metadata.resource)]) }
    if metadata.dpopBoundAccessTokensRequired { found["dpop"] = .bool(true) }
    let needed = finding.challengedScope.isEmpty ? metadata.scopesSupported : finding.challengedScope
    let others = metadata.scopesSupported.filter { !needed.contains($0) }.joined(separator: " ")
    return result(
      found, scope: needed, server,
      remarks: ["Found from \(url.withoutRootSlash) at \(finding.url)."]
        + (others.isEmpty ? [] : ["Further scopes of the API: \(Escaped.text(others))"]))
  }

  /// Returns whether metadata describes an API of `--api`, if that is given: a token for another one may be refused.
  private func isOfGivenAPI(_ metadata: ProtectedResourceMetadata) -> Bool {
    guard let given = draft["api"]?.strings else { return true }
    // An API that is not a URL is refused later, with the other settings.
    return given.compactMap { try? WebURL($0) }.contains { metadata.url.isAbove($0) || $0.isSame(as: url) }
  }

  private func report(_ metadata: ProtectedResourceMetadata) {
    if let given = draft["api"]?.strings {
      let isOther = !isOfGivenAPI(metadata)
      report(given, source: isOther ? "given; the metadata is for \(WebURL.shown(metadata.resource))" : "given")
    } else {
      let isLonger = !metadata.url.isSame(as: url) && url.isAbove(metadata.url)
      report(
        [metadata.resource],
        source: (isLonger ? "longer than the given address; " : "") + "from its metadata, RFC 9728")
    }
    if let given = draft["resource"]?.strings {
      context.note(LoginFact(name: "Resource", value: given.joined(separator: ", "), source: "given"))
    } else if draft["api"] != nil, isOfGivenAPI(metadata) {
      context.note(LoginFact(name: "Resource", value: metadata.resource, source: "from its metadata, RFC 9728"))
    }
    if metadata.bearerMethodsSupported?.contains("header") == false {
      let text = "according to its metadata, the API does not accept a token in the header, where authctl sends it"
      VerboseLog(context).events(.warning(text))
    }
  }

  private func report(_ api: [String], source: String) {
    context.note(LoginFact(name: "API", value: api.joined(separator: ", "), source: source))
  }

  /// Returns the only authorization server of an API, or the chosen one if there are several.
  private func issuer(_ metadata: ProtectedResourceMetadata) throws(AuthError) -> String {
    let named = metadata.authorizationServers
    if let chosen = given("issuer") {
      if named.isEmpty { return chosen }
      if let published = named.first(where: { IssuerDiscovery.isSame($0, as: chosen) }) { return published }
      throw .usage(
        "--issuer \(Escaped.text(chosen))",
        why: "\(metadata.url) accepts tokens from another server: \(LoginDiscovery.list(named))",
        hint: "use that server: \(address.command())")
    }
    guard let first = named.first else {
      throw .refused(
        "discovery of \(url.withoutRootSlash)", why: "its metadata names no authorization server",
        hint: "ask the API's operator for it, then: \(address.command("--issuer ISSUER"))")
    }
    guard named.count > 1 else { return first }
    return try choice(named)
  }

  /// Asks the user to choose one of several servers; returns the first if there is no terminal.
  private func choice(_ issuers: [String]) throws(AuthError) -> String {
    let shown = issuers.prefix(LoginDiscovery.mostChoices)
    guard !context.verbosity.nonInteractive else {
      context.note(
        LoginFact(
          name: "Servers", value: LoginDiscovery.list(issuers), source: "the first is used; see --issuer"))
      return issuers[0]
    }
    context.console.note("The API accepts tokens from several servers:")
    for (index, issuer) in shown.enumerated() { context.console.note("  \(index + 1)  \(WebURL.shown(issuer))") }
    let typed = try context.console.ask(
      "Server [1]: ", echo: true, for: "login \(url.withoutRootSlash)", hint: "use --issuer ISSUER")
    guard let typed, !typed.isEmpty else { return issuers[0] }
    guard let number = Int(typed), shown.indices.contains(number - 1) else {
      throw .usage(
        "login \(url.withoutRootSlash)", why: "'\(Escaped.text(typed, limit: 80))' is not the number of a server",
        hint: "log in again and type a number from 1 to \(shown.count), or: \(address.command("--issuer ISSUER"))")
    }
    return issuers[number - 1]
  }

  /// Fetches the metadata of an API's server; nil if tokens come from elsewhere.
  ///
  /// It must name exactly the issuer that the API names. If the user gives the issuer, a slash at the end may differ.
  private func server(
    _ issuer: String, of metadata: ProtectedResourceMetadata
  ) async throws(AuthError) -> DiscoveredServer? {
    guard given("flow") != Flow.token.rawValue else { return nil }
    let page = try LoginAddress(issuer, as: "the authorization server")
    let failure: DiscoveryFailure
    do throws(DiscoveryFailure) {
      let server: DiscoveredServer
      if given("issuer") == nil {
        server = try await asking(page.url) { () throws(DiscoveryFailure) in
          try await Discovery(issuer: issuer, connection: connection, usesMTLS: usesMTLS).server()
        }.get()
      } else {
        server = try await self.server(of: page.url, searchesAbove: false).get()
      }
      report(server)
      return server
    } catch {
      failure = error
    }
    let named = failure.misses.lazy.compactMap(\.otherIssuer).first { IssuerDiscovery.isSame($0, as: issuer) }
    // Another server is used only if the user requests it.
    let other = metadata.authorizationServers.first { $0 != issuer }
    throw LoginMiss(page, failure.misses).error(reportedTo: context).explained { it in
      guard let next = named ?? other else { return }
      let command = address.command("--issuer \(ShellWord.quoted(next))")
      let advice = named == nil ? "to use another server of the API" : "to accept the name that the server publishes"
      (it.hint, it.remedy) = ("\(advice): \(command)", nil)
    }
  }

  // MARK: - A server

  /// Returns the settings for an API without metadata, whose server was given.
  private func settings(ofIssuer issuer: String) async throws(AuthError) -> DiscoveredSettings {
    report(
      draft["api"]?.strings ?? [url.withoutRootSlash],
      source: (draft["api"] == nil ? "the given address" : "given") + "; no metadata found")
    var found: [String: JSONValue] = ["issuer": .string(issuer), "api": .array([.string(url.withoutRootSlash)])]
    guard given("flow") != Flow.token.rawValue else { return result(found, scope: [], nil, remarks: []) }
    let page = try LoginAddress(issuer, as: "--issuer")
    switch await server(of: page.url, searchesAbove: false) {
    case .success(let server):
      report(server)
      found["issuer"] = .string(server.issuer)
      return result(found, scope: [], server, remarks: [])
    case .failure(let failure): throw LoginMiss(page, failure.misses).error(reportedTo: context)
    }
  }

  private func report(_ server: DiscoveredServer) {
    let sources = [server.isOAuth ? "RFC 8414" : nil, server.isOpenID ? "OpenID Connect" : nil]
    context.note(
      LoginFact(name: "Server", value: server.issuer, source: sources.compactMap(\.self).joined(separator: ", ")))
  }

  // MARK: - The settings

  /// Adds the scope to the found settings.
  ///
  /// - Parameter scope: the scope that the API needs.
  private func result(
    _ found: [String: JSONValue], scope: [String], _ server: DiscoveredServer?, remarks: [String]
  ) -> DiscoveredSettings {
    var found = found
    let general = server.map(general) ?? []
    // OpenID Connect Core, section 11: without it some servers show an error page, which no client sees.
    if draft["scope"] == nil, flow == .browser, general.contains(where: { $0 == "offline_access" }) {
      found["prompt"] = .string("consent")
    }
    let whole = general + scope.filter { !general.contains($0) }
    if !whole.isEmpty { found["scope"] = .array(whole.map { .string($0) }) }
    return DiscoveredSettings(
      values: found, remarks: remarks, server: server, scope: draft["scope"]?.strings ?? whole)
  }

  /// The general scopes that the server supports and a person's login requests: `openid` and `offline_access`.
  private func general(of server: DiscoveredServer) -> [String] {
    guard [.browser, .device, .password].contains(flow) else { return [] }
    let supported = server.scopesSupported
    return (server.isOpenID || supported.contains("openid") ? ["openid"] : [])
      + (supported.contains("offline_access") ? ["offline_access"] : [])
  }

  private var flow: Flow { given("flow").flatMap(Flow.init) ?? .browser }

  private func given(_ key: String) -> String? { draft[key]?.string }

  private var usesMTLS: Bool { given("client_authentication") == ClientAuthentication.tls.rawValue }

  private var connection: ServerConnection {
    var connection = ServerConnection(
      transport: context.transport(), network: network, userAgent: Context.userAgent, now: context.now,
      boot: context.boot, events: VerboseLog(context).events)
    connection.end = .now + context.discoveryTime
    return connection
  }

  /// The connection options of the new profile. An invalid duration is refused later, with the other settings.
  private var network: NetworkOptions {
    NetworkOptions(
      cacert: given("network.cacert"), proxy: given("network.proxy"),
      clientCertificate: given("network.client_certificate"), clientKey: given("network.client_key"),
      connectTimeout: given("network.connect_timeout").flatMap { DurationText.parse($0) })
  }

  private static func list(_ issuers: [String]) -> String {
    let more = issuers.count - mostChoices
    return issuers.prefix(mostChoices).map { WebURL.shown($0) }.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  /// The maximum number of an API's servers to offer.
  private static let mostChoices = 9
}

/// Settings of a new profile that the user has not entered, because an API or a server publishes them.
struct DiscoveredSettings: Sendable {
  /// The values, by their keys in a profile's file. The issuer is exactly as published.
  let values: [String: JSONValue]
  /// Comments for the profile's file, one line each.
  let remarks: [String]
  /// The authorization server; nil if its metadata is not needed.
  let server: DiscoveredServer?
  /// The scope that the login will request.
  let scope: [String]

  /// The line that shows the scope.
  var scopeFact: LoginFact {
    scope.isEmpty
      ? LoginFact(name: "Scopes", value: "none requested: the server decides")
      : LoginFact(name: "Scopes", value: scope.joined(separator: " "))
  }
}
