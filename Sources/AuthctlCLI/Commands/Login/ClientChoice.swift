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
    guard server.profile.lacksClient, let metadata else { return Chosen(server: documented(server)) }
    try checkReceiver(of: token, server.profile)
    // One login registers; others at the same time use its client.
    let lock = context.fileLock(context.state.appending("locks").appending(".registration.lock"))
    let outcome: Found? = try await lock.withLock(.exclusive, deadline: ClientChoice.patience) { _ throws(AuthError) in
      try await found(for: server, metadata, flow: flow, token: token)
    }
    switch outcome {
    case .client(let chosen)?: return chosen
    case .missing(let why, let wantsToken)?: return try asked(server, metadata, why: why, wantsToken: wantsToken)
    case nil:
      throw .tryLater(
        .init(
          "registering a client", why: "another login is registering one, and has not finished",
          hint: "log in again when it has"))
    }
  }

  /// How long a login waits for another one that registers a client.
  private static let patience = Duration.seconds(60)

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
      .init(
        "the server \(issuer(profile))",
        why: "its endpoints are on several origins: \(other), and \(token), which gets the code",
        hint: "if you trust both, run: \(commandNamingServer(of: profile))"))
  }

  /// Checks that the user has named the server that gets the initial access token.
  private func checkReceiver(of token: Secret?, _ profile: Profile) throws(AuthError) {
    let issuerOrigin = profile.issuer.flatMap { try? WebURL($0) }?.origin
    guard isDiscovered, token != nil, issuerOrigin != input.arguments.address?.url.origin else { return }
    throw .usage(
      .init(
        "the initial access token",
        why: "it would be sent to \(issuer(profile)), which the command line does not name",
        hint: "if it is for that server, run: \(commandNamingServer(of: profile))"))
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
          server.profile, flow: flow, name: Program.authctl.name, ports: context.redirectPorts), at: url, metadata,
        token: token, random: context.random())
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let why, let wantsToken):
        return .missing(why: why, wantsToken: wantsToken && token == nil)
      }
    }
    report(client, replacing: gone.first, in: server.profile.store)
    for client in gone { try await server.forgetFormer(client) }
    let isGone = gone.contains { $0.clientID == stored?.clientID }
    return .client(Chosen(server: server.with(client), note: .registered, former: isGone ? nil : stored))
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

  private func report(_ client: RegisteredClient, replacing gone: RegisteredClient?, in store: TokenStore) {
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
    let uris = profile.redirectURI.map(\.string).joined(separator: ", ")
    let register = "register a public client at \(issuer(profile)) with the redirect URI \(uris)"
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
    let next =
      isNew
      ? "run: \(input.arguments.command(adding: "--client-id ID", to: profile.name))"
      : "add client_id = \"…\" to \(context.profiles.file(of: profile.name))"
    return .usage(
      .init("profile \(profile.name)", why: why, hint: remedies.joined(separator: "; or ") + ", then \(next)"))
  }

  private func issuer(_ profile: Profile) -> String { Escaped.text(profile.issuer ?? "") }
}

extension ClientChoice.Chosen {
  /// Returns the text of a new profile's file with the entry about the client.
  func adding(to text: String) -> String {
    switch note {
    case nil: return text
    case .clientID(let id):
      guard let key = ProfileKey.named("client_id", of: .oauth2) else { return text }
      var text = ProfileText(text)
      text.set(key, to: .string(id))
      return text.string
    case .registered:
      var lines = text.split(atAny: "\n", omittingEmptySubsequences: false)
      let place = lines.firstIndex { $0.starts(withBytes: "issuer") }.map { $0 + 1 } ?? lines.startIndex
      lines.insert(
        "# client_id: the registered client; `authctl profile show` prints it.", at: place)
      return lines.joined(separator: "\n")
    }
  }
}
