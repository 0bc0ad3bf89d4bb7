import AuthCore
import SystemPackage

/// One run of `login`.
struct LoginRun: Sendable {
  private let arguments: LoginArguments
  private let context: Context
  private let discovered: DiscoveredSettings?

  /// - Parameter answers: the command line, with the answers to the questions at the terminal.
  init(_ answers: LoginAnswers, _ context: Context) {
    arguments = answers.arguments
    discovered = answers.discovered
    self.context = context
  }

  func run() async throws -> ExitStatus {
    let target = try await LoginTarget(arguments, context, discovered: discovered)
    try arguments.check(for: target.profile)
    let profile = arguments.steppedUp(target.profile)
    let input = SecretInput(arguments, context)
    let choice = ClientChoice(
      input, isNew: target.newFile != nil,
      isDiscovered: target.discovered?.values["api"] != nil && arguments.value("issuer") == nil)
    try choice.prove(profile)
    // The store is checked first: the user should not log in if the tokens can't be stored.
    let log = VerboseLog(context, tokenField: profile.header.name)
    let server = context.server(profile, log, prompting: !context.verbosity.nonInteractive)
    let session = context.session(of: server, log)
    let replaced = try await proveStore(session)
    var client = try LoginClientSecret(input, of: profile)
    try await client.ask(for: server, nil)
    let registrationToken = try input.registrationToken(of: profile)
    let subject = try await server.subjectToken()
    let metadata = try await metadata(of: server, known: target.discovered?.server?.metadata)
    let flow = DeviceLogin.flow(
      of: profile, Login(server, metadata: metadata, clientSecret: nil), arguments, context)
    let former = try await context.keepingClient(of: profile) { [client] in
      let chosen = try await choice.client(for: server, metadata, flow: flow, token: registrationToken)
      var client = client
      client.given = client.given ?? chosen.secret
      // The token endpoint, to which a stored secret must belong, is known only now.
      if metadata != nil { try await client.ask(for: chosen.server, metadata) }
      if let discovered = target.discovered { context.note(discovered.scopeFact) }
      let keyed = chosen.server.withNewKey()
      let pair: TokenPair
      if profile.type == .oauth2 {
        let secret = try await client.secret(of: keyed, at: metadata)
        var login = Login(keyed, metadata: metadata, clientSecret: secret)
        login.advice = choice.advice(chosen, metadata, target.discovered)
        pair =
          if let subject { try await login.exchange(ofWorkload: subject) } else {
            try await self.pair(login, keyed.profile, by: flow, input, key: client.key)
          }
      } else {
        pair = try await self.pair(profile, server)
      }
      let secrets = LoginSecrets(clientSecret: client.given, clientKey: client.key, tokenKey: keyed.newKey)
      try await store(pair, secrets, of: profile, in: session, over: replaced)
      if let text = target.newFile { try context.profiles.write(chosen.adding(to: text), as: profile.name) }
      try target.addition?.write(to: profile.name, in: context.profiles)
      try LoginSummary(pair, session, target, context).print()
      return chosen.former
    }
    if let former {
      // The old client is no longer used; if the server keeps it, it does no harm.
      _ = try? await context.deletingClient(of: profile, isRemoved: false) { () throws(AuthError) in
        try await server.removeFormer(former)
      }
    }
    return .ok
  }

  /// Returns the metadata of an OAuth server that is asked for tokens; nil if none is.
  private func metadata(
    of server: AuthorizationServer, known: ServerMetadata?
  ) async throws(AuthError) -> ServerMetadata? {
    let profile = server.profile
    guard profile.type == .oauth2, profile.flow != .token else { return nil }
    return try await AskingLine(context).during(profile.serverName) { () throws(AuthError) in
      try await server.metadata(known: known)
    }
  }

  /// Logs in at a server of another type than OAuth.
  private func pair(_ profile: Profile, _ server: AuthorizationServer) async throws -> TokenPair {
    guard let custom = profile.custom else { return try BasicLogin(arguments, context).pair(profile) }
    return try await CustomProfileLogin(arguments, context).pair(server, custom)
  }

  private func store(
    _ pair: TokenPair, _ secrets: LoginSecrets, of profile: Profile, in session: TokenSession, over former: TokenPair?
  ) async throws(AuthError) {
    guard !profile.isOnDemand else { return try await session.invalidateCache() }
    let isElsewhere = profile.flow == .token
    try await session.logIn(with: pair, secrets: secrets, isElsewhere: isElsewhere)
    guard isElsewhere, former?.refreshToken != nil, !context.verbosity.quiet else { return }
    context.console.note("authctl: the tokens of the former login are replaced, and not revoked")
  }

  /// Checks that the store can be read and written. A damaged item is accepted, because the login replaces it.
  ///
  /// - Returns: the stored pair; nil if there is none.
  private func proveStore(_ session: TokenSession) async throws(AuthError) -> TokenPair? {
    do throws(AuthError) {
      let pair = try await session.stored()
      try await session.proveWritable()
      return pair
    } catch {
      guard case .storage(.damaged, _) = error else { throw error }
      return nil
    }
  }

  private func pair(
    _ login: Login, _ profile: Profile, by flow: Flow, _ input: SecretInput, key: Secret?
  ) async throws -> TokenPair {
    switch flow {
    case .device:
      return try await DeviceLogin(arguments, context).pair(login, profile)
    case .browser:
      return try await BrowserLogin(arguments, context).pair(login, profile)
    case .password:
      let username = try input.username(of: profile)
      return try await login.password(username: username, password: try input.password(of: username, profile))
    case .clientCredentials:
      return try await login.clientCredentials()
    case .jwtBearer:
      if let assertion = try input.assertion(for: profile) { return try await login.jwtBearer(assertion: assertion) }
      if let key { return try await login.jwtBearer(key: key) }
      return try await login.jwtBearer(key: try await login.assertionKey())
    case .tokenExchange:
      return try await login.exchange(try input.tokenExchange(at: profile))
    case .token:
      return try login.tokens(try input.tokens())
    }
  }
}
