import AuthCore
import SystemPackage

/// One run of `login`.
struct LoginRun: Sendable {
  private let arguments: LoginArguments
  private let context: Context

  init(_ arguments: LoginArguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  func run() async throws -> ExitStatus {
    let (target, newFile) = try await target()
    try arguments.check(for: target)
    let profile = arguments.steppedUp(target)
    let input = SecretInput(arguments, context)
    // The keyring is checked first: the user should not log in if the tokens can't be stored.
    let trace = Trace(context, tokenField: profile.header.name)
    let server = context.server(profile, trace, prompting: !context.verbosity.nonInteractive)
    let session = context.session(of: server, trace)
    try await proveReadable(session)
    var given = try input.clientSecret(of: profile)
    if given == nil { given = try await missingClientSecret(server, nil, input) }
    let key = try input.clientKey(of: profile)
    let usesServer = profile.type == .oauth2 && profile.flow != .token
    let metadata = usesServer ? try await server.metadata() : nil
    // The token endpoint, to which a stored secret must belong, is known only now.
    if given == nil, metadata != nil { given = try await missingClientSecret(server, metadata, input) }
    let keyed = server.withNewKey()
    let pair: TokenPair
    if let custom = profile.custom {
      pair = try await CustomProfileLogin(arguments, context).pair(server, custom)
    } else if profile.type == .basic {
      pair = try BasicLogin(arguments, context).pair(profile)
    } else {
      pair = try await self.pair(keyed, metadata, given, input, key: key)
    }
    try await session.logIn(
      with: pair, secrets: LoginSecrets(clientSecret: given, clientKey: key, tokenKey: keyed.newKey))
    if let newFile { try context.profiles.write(newFile, as: profile.name) }
    try tell(pair, profile, session, madeFile: newFile != nil)
    return .ok
  }

  /// Returns the profile to log in to, and the text of its file if that does not exist yet.
  private func target() async throws -> (Profile, newFile: String?) {
    guard let name = try ProfileChoice(context).named(arguments.selection) else {
      guard arguments.settings.isEmpty, arguments.discover == nil else {
        throw AuthError.usage(
          .init("login", why: "settings need a profile name", hint: "run: authctl login NAME …"))
      }
      return (try ProfileChoice(context).profile(arguments.selection), nil)
    }
    let draft = ProfileDraft(arguments.settings, context.paths)
    if let profile = try context.profiles.profile(name) {
      guard arguments.discover == nil else {
        throw AuthError.usage(
          .init(
            "--discover", why: "profile \(name) already exists",
            hint: "run: authctl login \(name); or choose another name"))
      }
      return (try draft.applied(to: profile, file: context.profiles.file(of: name).string), nil)
    }
    var discovered: DiscoveredSettings?
    // Before the network is used.
    try draft.checkFiles()
    if let url = arguments.discover { discovered = try await LoginDiscovery(url, draft, context).settings(of: name) }
    let found = draft.adding(discovered?.values ?? [:])
    guard !found.isEmpty else { return (try ProfileChoice(context).profile(named: name), nil) }
    guard found["type"]?.string != ProfileType.custom.rawValue else {
      throw AuthError.usage(
        .init(
          "profile \(name)", why: "a server with requests of its own can't be described by options",
          hint: "write \(context.profiles.file(of: name)); authctl-profile(5) has a template for each kind of server"))
    }
    let implied = arguments.impliedAuthentication
    let whole = found.adding(implied.map { ["client_authentication": .string($0.rawValue)] } ?? [:])
    let profile = try whole.profile(name)
    let text = whole.toml(name, remarks: discovered?.remarks ?? [])
    // A file that can't be read again must not be written: it would make the session unreachable.
    _ = try Profile(toml: text, file: context.profiles.file(of: name).string, name: name)
    return (profile, text)
  }

  /// Checks that the keyring can be read. A damaged item is accepted, because the login replaces it.
  private func proveReadable(_ session: TokenSession) async throws(AuthError) {
    do throws(AuthError) {
      _ = try await session.stored()
    } catch {
      guard case .storage(.damaged, _) = error else { throw error }
    }
  }

  /// Prompts for the client secret if none is stored for this server; nil if it is not needed.
  private func missingClientSecret(
    _ server: AuthorizationServer, _ metadata: ServerMetadata?, _ input: SecretInput
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

  private func pair(
    _ server: AuthorizationServer, _ metadata: ServerMetadata?, _ given: Secret?, _ input: SecretInput, key: Secret?
  ) async throws -> TokenPair {
    let secret = try await clientSecret(of: server, at: metadata, given: given, key: key)
    return try await pair(
      Login(server, metadata: metadata, clientSecret: secret), server.profile, input, key: key)
  }

  private func clientSecret(
    of server: AuthorizationServer, at metadata: ServerMetadata?, given: Secret?, key: Secret?
  ) async throws(AuthError) -> Secret? {
    guard server.profile.flow != .token else { return nil }
    if let given { return given }
    if server.profile.clientAuthentication == .privateKeyJWT, let key { return key }
    return try await server.clientSecret(for: metadata)
  }

  private func pair(
    _ login: Login, _ profile: Profile, _ input: SecretInput, key: Secret?
  ) async throws -> TokenPair {
    switch DeviceLogin.flow(of: profile, login, arguments, context) {
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

  private func tell(_ pair: TokenPair, _ profile: Profile, _ session: TokenSession, madeFile: Bool) throws {
    if context.verbosity.printsJSON {
      try context.console.write(try ProfileStatus(profile, session, pair, at: context.now()).json.text() + "\n")
    }
    guard !context.verbosity.quiet else { return }
    if profile.api.isEmpty {
      let file = context.profiles.file(of: profile.name)
      context.console.note(
        "authctl: warning: no api is set: call refuses every URL; add api = [\"https://…\"] to \(file)")
    }
    let who = pair.subject.map { " as \(Escaped.text($0))" } ?? ""
    let until = pair.remaining(at: context.now()).map { ", token valid for \(DurationText.describe($0))" } ?? ""
    let refresh = session.canRefresh(pair) ? ", refreshes automatically" : ""
    context.console.note("authctl: logged in to \(profile.name)\(who)\(until)\(refresh)")
    if madeFile {
      context.console.note("authctl: settings written to \(context.profiles.file(of: profile.name))")
    }
  }
}
