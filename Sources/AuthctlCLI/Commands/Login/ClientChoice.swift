import AuthCore
import SystemPackage

/// Chooses the client for a login whose profile has no client ID: a registered client, a client ID metadata document,
/// or a client that the user names.
struct ClientChoice: Sendable {
  private let input: SecretInput
  /// Whether the profile's file is written after the login.
  private let isNew: Bool
  /// Whether an API has named the server, and not the user.
  private let isDiscovered: Bool

  init(_ input: SecretInput, isNew: Bool, isDiscovered: Bool) {
    self.input = input
    self.isNew = isNew
    self.isDiscovered = isDiscovered
  }

  private var context: Context { input.context }

  /// A chosen client, and the changes to make after the login.
  struct Chosen: Sendable {
    /// The server with the client.
    let server: AuthorizationServer
    /// The entry about the client in a new profile's file; nil if the settings contain the client ID.
    var note: FileNote?
    /// The registered client that this one replaces; nil for none.
    var former: RegisteredClient?
    /// Whether this login has registered the client.
    var isFresh = false
    /// The client secret that the user has entered, because the server refuses the client without one; nil for none.
    var secret: Secret?
  }

  /// The entry about the client in a new profile's file.
  enum FileNote: Sendable, Equatable {
    /// The client ID.
    case clientID(String)
    /// A comment that the client is in the keyring.
    case registered
  }

  /// Checks, before any request, that a client can be chosen in this flow.
  ///
  /// - Throws: `AuthError.usage`.
  func prove(_ profile: Profile) throws(AuthError) {
    guard profile.lacksClient, ![.browser, .device].contains(profile.flow) else { return }
    throw missing(profile, why: "client_id is missing", remedies: ["register a client at \(issuer(profile))"])
  }

  /// Returns the client of a login.
  ///
  /// - Parameter flow: the flow of the login, which may differ from that of the profile.
  /// - Throws: `AuthError.usage` with the redirect URI to register and the command to type if no client is available.
  func client(
    for server: AuthorizationServer, _ metadata: ServerMetadata?, flow: Flow, token: Secret?
  ) async throws(AuthError) -> Chosen {
    if let metadata { try checkOrigins(metadata, server.profile) }
    guard server.profile.lacksClient, let metadata else {
      return try await authenticated(Chosen(server: documented(server)), metadata, flow: flow)
    }
    try checkReceiver(of: token, server.profile)
    // One login registers; others at the same time use its client.
    let lock = context.fileLock(context.state.appending("locks").appending(".registration.lock"))
    let deadline = context.refreshPolicy.lockDeadline
    let outcome: Found? = try await lock.withLock(.exclusive, deadline: deadline) { _ throws(AuthError) in
      try await found(for: server, metadata, flow: flow, token: token)
    }
    switch outcome {
    case .client(let chosen)?: return chosen
    case .missing(let why, let wantsToken)?:
      let chosen = try asked(server, metadata, why: why, wantsToken: wantsToken)
      return try await authenticated(chosen, metadata, flow: flow)
    case nil:
      throw .tryLater(
        "registering a client", why: "another login is registering one, and has not finished",
        hint: "log in again when it has")
    }
  }

  /// A client that needs no question, or the reason why there is none.
  private enum Found: Sendable {
    case client(Chosen)
    case missing(why: String, wantsToken: Bool)
  }

  /// Refuses a server that a third party has named, if its endpoints are on several origins.
  ///
  /// A malicious server could name the login page of a good one, and get the code at its own token endpoint (RFC 9700,
  /// section 4.4, mix-up).
  private func checkOrigins(_ metadata: ServerMetadata, _ profile: Profile) throws(AuthError) {
    guard isDiscovered, let token = metadata.tokenEndpoint?.origin else { return }
    // A user info endpoint gets the access token only, as the API does; several servers have it on another origin.
    let pages = [
      metadata.authorizationEndpoint, metadata.registrationEndpoint, metadata.deviceAuthorizationEndpoint,
      metadata.revocationEndpoint, metadata.pushedAuthorizationRequestEndpoint, metadata.introspectionEndpoint,
    ]
    guard let other = pages.compactMap({ $0?.origin }).first(where: { $0 != token }) else { return }
    throw .refused(
      "the server \(issuer(profile))",
      why: "its endpoints are on several origins: \(other), and \(token), which gets the code",
      hint: "if you trust both, run: \(commandNamingServer(of: profile))")
  }

  /// Checks that the user has named the server that gets the initial access token.
  private func checkReceiver(of token: Secret?, _ profile: Profile) throws(AuthError) {
    let issuerOrigin = profile.issuer.flatMap { try? WebURL($0) }?.origin
    guard isDiscovered, token != nil, issuerOrigin != input.arguments.address?.url.origin else { return }
    throw .usage(
      "the initial access token",
      why: "it would be sent to \(issuer(profile)), which the command line does not name",
      hint: "if it is for that server, run: \(commandNamingServer(of: profile))")
  }

  /// The command line of this login with the server that an API has named.
  private func commandNamingServer(of profile: Profile) -> String {
    input.arguments.command(adding: "--issuer \(ShellWord.quoted(issuer(profile)))", to: profile.name)
  }

  /// Finds a client without asking: a registered one, a metadata document, or a new registration.
  private func found(
    for server: AuthorizationServer, _ metadata: ServerMetadata, flow: Flow, token: Secret?
  ) async throws(AuthError) -> Found {
    let stored = try await server.registeredClient()
    var gone: [RegisteredClient] = []
    for known in stored?.all ?? []
    where known.covers(server.profile, flow: flow, tokenEndpoint: metadata.tokenEndpoint, at: context.now()) {
      if let client = try await server.confirmed(known, metadata, random: context.random()) {
        context.note(
          LoginFact(name: "Client", value: client.clientID, source: "registered before"))
        return .client(Chosen(server: server.with(client), note: .registered))
      }
      gone.append(known)
    }
    if metadata.clientIDMetadataDocumentSupported == true,
      let id = try Configuration(in: context.configuration).clientMetadataURL
    {
      context.note(LoginFact(name: "Client", value: id, source: "client ID metadata document"))
      return .client(Chosen(server: documented(server.with(clientID: id)), note: .clientID(id)))
    }
    guard let url = metadata.registrationEndpoint else {
      return .missing(why: "the server does not register clients", wantsToken: false)
    }
    let client: RegisteredClient
    do throws(ClientRegistration.Failure) {
      client = try await server.registerAccepted(
        RegistrationRequest(
          server.profile, flow: flow, name: ProgramName.standard.text, ports: context.redirectPorts), at: url, metadata,
        token: token, random: context.random())
    } catch {
      switch error {
      case .failed(let error): throw explained(error, server.profile)
      case .refused(let why, true) where token != nil:
        let why = "the server refuses the initial access token: \(why)"
        let hint = "get another token from the server's operator"
        throw explained(.refused("registering a client", why: why, hint: hint), server.profile)
      case .refused(let why, let wantsToken): return .missing(why: why, wantsToken: wantsToken)
      }
    }
    report(client, replacing: gone.first, in: server.profile.store)
    for client in gone { try await server.forgetFormer(client) }
    let isGone = gone.contains { $0.clientID == stored?.clientID }
    return .client(Chosen(server: server.with(client), note: .registered, former: isGone ? nil : stored, isFresh: true))
  }

  /// Returns the server with the redirect URIs of the metadata document if its client ID is one.
  private func documented(_ server: AuthorizationServer) -> AuthorizationServer {
    let profile = server.profile
    guard profile.type == .oauth2, profile.clientID.starts(withBytes: "https://"), profile.redirectURI == [.standard]
    else {
      return server
    }
    let ports = RedirectURI.registered(on: context.redirectPorts).filter { $0.port != nil }
    return server.with(clientID: profile.clientID, redirectURIs: ports)
  }

  private func report(_ client: RegisteredClient, replacing gone: RegisteredClient?, in store: StoreKind) {
    let reason = gone.map { "; the server no longer knows \(Escaped.text($0.clientID, limit: 80))" } ?? ""
    context.note(
      LoginFact(
        name: "Client", value: "registered as \(client.clientID)",
        source: "RFC 7591; stored in the \(store.place)\(reason)"))
  }
}

// MARK: - Asking

extension ClientChoice {
  /// Prompts for the client ID after naming the redirect URI to register.
  private func asked(
    _ server: AuthorizationServer, _ metadata: ServerMetadata, why: String, wantsToken: Bool
  ) throws(AuthError) -> Chosen {
    let profile = server.profile
    let register = registering(profile)
    let failure = missing(
      profile, why: "client_id is missing: \(why)",
      remedies: others(metadata, wantsToken: wantsToken) + [register])
    guard !context.verbosity.nonInteractive else { throw failure }
    context.console.note("authctl: \(why): \(register)")
    let typed = try context.console.ask(
      "Client ID for \(profile.serverName): ", echo: true, for: "the client ID", hint: "use --client-id ID")
    guard let id = typed?.split(atAny: " \t\r\n").first.map(String.init) else { throw failure }
    if !isNew {
      let line = "client_id = \(JSONValue.string(id).toml)"
      let file = context.profiles.file(of: profile.name)
      context.console.note("authctl: to skip this prompt in later logins, add \(line) to \(file)")
    }
    return Chosen(server: documented(server.with(clientID: id)), note: .clientID(id))
  }

  /// Returns the remedies for a missing client, besides registering one by hand.
  private func others(_ metadata: ServerMetadata, wantsToken: Bool) -> [String] {
    var ways: [String] = []
    if wantsToken { ways.append("pass the server's initial access token with --registration-token-stdin") }
    if metadata.clientIDMetadataDocumentSupported == true {
      ways.append("host a client ID metadata document (run: authctl profile client-metadata)")
    }
    return ways
  }

  private func missing(_ profile: Profile, why: String, remedies: [String]) -> AuthError {
    .usage(
      "profile \(profile.name)", why: why,
      hint: remedies.joined(separator: "; or ") + ", then \(naming(profile))")
  }

  /// Returns the error of a registration with the way to a client without one.
  private func explained(_ error: AuthError, _ profile: Profile) -> AuthError {
    switch error {
    // A remedy is that of a server that can't be reached.
    case .tryLater(let it) where it.remedy == nil, .refused(let it) where it.remedy == nil:
      error.explained { $0.hint = "\(it.hint); or \(registering(profile)), then \(naming(profile))" }
    default: error
    }
  }

  /// Returns the advice to register a client by hand.
  private func registering(_ profile: Profile) -> String {
    let uris = profile.redirectURI.map(\.string).joined(separator: ", ")
    return "register a public client at \(issuer(profile)) with the redirect URI \(uris)"
  }

  /// Returns the advice to name the client.
  private func naming(_ profile: Profile) -> String {
    isNew
      ? "run: \(input.arguments.command(adding: "--client-id ID", to: profile.name))"
      : "add client_id = \"…\" to \(context.profiles.file(of: profile.name))"
  }

  private func issuer(_ profile: Profile) -> String { WebURL.shown(profile.issuer ?? "") }
}

// MARK: - A client with a secret

extension ClientChoice {
  /// Returns the client, in a first login at a terminal with the secret that the user enters if the server refuses the
  /// client without one: the page would be opened in vain.
  private func authenticated(
    _ chosen: Chosen, _ metadata: ServerMetadata?, flow: Flow
  ) async throws(AuthError) -> Chosen {
    let profile = chosen.server.profile
    guard isNew, !context.verbosity.nonInteractive, profile.type == .oauth2, [.browser, .device].contains(flow),
      profile.clientAuthentication == .none, input.arguments.value("client_authentication") == nil,
      try await isRefused(chosen.server, metadata, flow: flow),
      let secret = try input.possibleClientSecret(of: profile)
    else { return chosen }
    var chosen = Chosen(server: chosen.server.with(method(metadata)), note: chosen.note)
    chosen.secret = secret
    return chosen
  }

  private func isRefused(
    _ server: AuthorizationServer, _ metadata: ServerMetadata?, flow: Flow
  ) async throws(AuthError) -> Bool {
    switch try await server.clientVerdict(metadata, of: nil, random: context.random()) {
    case .unknown: true
    // The client of a device may lack the grant.
    case .unauthorized: flow == .browser
    default: false
    }
  }

  /// The first method with a secret that the server lists; that of RFC 8414, section 2, if it lists none.
  private func method(_ metadata: ServerMetadata?) -> ClientAuthentication {
    let listed = metadata?.tokenEndpointAuthMethodsSupported ?? []
    return listed.lazy.compactMap { ClientAuthentication(rawValue: $0) }
      .first { [.basic, .post].contains($0) } ?? .basic
  }

  /// Returns the hints for failures of a first login that other options avoid.
  func advice(_ chosen: Chosen, _ metadata: ServerMetadata?, _ discovered: DiscoveredSettings?) -> Login.Advice {
    let (profile, arguments) = (chosen.server.profile, input.arguments)
    var advice = Login.Advice()
    guard isNew else { return advice }
    if chosen.note != .registered {
      let options = "--client-authentication \(method(metadata).rawValue) --client-secret-stdin"
      advice.publicClient =
        "check the client ID; if the client has a secret, run: \(arguments.command(adding: options, to: profile.name))"
    }
    if chosen.isFresh, let discovered, arguments.value("scope") == nil, profile.scope.contains("openid") {
      let scope = discovered.scope.filter { $0 != "openid" }.joined(separator: " ")
      let command = arguments.command(adding: "--scope \(ShellWord.quoted(Escaped.text(scope)))", to: profile.name)
      advice.serverFailure =
        "the server failed: it may have no ID tokens for clients that register themselves; "
        + "to leave out OpenID Connect, run: \(command)"
    }
    return advice
  }
}

extension ClientChoice.Chosen {
  /// Returns the text of a new profile's file with the entries about the client.
  func adding(to text: String) -> String {
    var text = noted(in: text)
    guard secret != nil else { return text }
    let method = JSONValue.string(server.profile.clientAuthentication.rawValue)
    text = ClientChoice.Chosen.setting("client_authentication", to: method, in: text)
    return text
  }

  private static func setting(_ name: String, to value: JSONValue, in text: String) -> String {
    guard let key = ProfileKey.named(name, of: .oauth2) else { return text }
    var text = ProfileText(text)
    text.set(key, to: value)
    return text.string
  }

  private func noted(in text: String) -> String {
    switch note {
    case nil: return text
    case .clientID(let id): return ClientChoice.Chosen.setting("client_id", to: .string(id), in: text)
    case .registered:
      var lines = text.split(atAny: "\n", omittingEmptySubsequences: false)
      let place = lines.firstIndex { $0.starts(withBytes: "issuer") }.map { $0 + 1 } ?? lines.startIndex
      lines.insert(
        "# client_id: the registered client; `authctl profile show` prints it.", at: place)
      return lines.joined(separator: "\n")
    }
  }
}
