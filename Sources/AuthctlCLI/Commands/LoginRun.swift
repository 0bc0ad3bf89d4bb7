import AuthCore
import SystemPackage

/// One run of `login`.
struct LoginRun: Sendable {
  private let invocation: Invocation
  private let context: Context
  private let settings: Settings

  init(_ invocation: Invocation, _ context: Context) {
    self.invocation = invocation
    self.context = context
    settings = Settings(invocation, context)
  }

  func run() async throws -> ExitStatus {
    let input = SecretInput(invocation, context, settings)
    try input.checkOptions()
    let (profile, newFile) = try target()
    // The keyring is looked at first: a person should not log in at a page whose result can't be kept.
    let session = context.session(profile, settings, prompting: !settings.nonInteractive)
    try await proveReadable(session)
    let given = try input.clientSecret(of: profile)
    let metadata = profile.flow == .token ? nil : try await session.server.metadata()
    let secret = try await clientSecret(of: session, given: given)
    let server = session.server.withNewKey()
    let login = Login(server, metadata: metadata, clientSecret: secret)
    let pair = try await pair(login, profile, input)
    try await session.begin(pair, clientSecret: given, key: server.newKey)
    if let newFile { try context.profiles.write(newFile, as: profile.name) }
    try tell(pair, session, madeFile: newFile != nil)
    return .ok
  }

  /// The profile to log in to, and the text of its file where it has yet to be made.
  private func target() throws -> (Profile, newFile: String?) {
    guard let name = try name() else { return (try ProfileChoice(context).profile(invocation), nil) }
    let draft = ProfileDraft(
      invocation, name: name,
      hasClientSecret: invocation.has(LoginOptions.clientSecretStdin) || invocation.has(LoginOptions.clientSecretFile))
    if let profile = try context.profiles.profile(name) {
      return (try draft.applied(to: profile, file: context.profiles.file(of: name).string), nil)
    }
    guard !draft.isEmpty else { return (try ProfileChoice(context).profile(named: name), nil) }
    return (try draft.profile(), draft.toml)
  }

  private func name() throws(AuthError) -> ProfileName? {
    guard let operand = invocation.operands.first else {
      if let named = try ProfileChoice(context).named(invocation) { return named }
      guard !ProfileSetting.all.contains(where: { invocation.has($0.option) }) else {
        throw .usage(
          .init("login", why: "settings are given, but no name for the profile", hint: "name it: authctl login NAME …"))
      }
      return nil
    }
    let name = try ProfileChoice.name(operand)
    if let option = invocation.value(.profile), option != operand {
      throw .usage(
        .init(
          "--profile \(Printable.text(option, limit: 80))", why: "another profile is named too", hint: "name it once"))
    }
    return name
  }

  /// Proves that the keyring can be read; a stored item that is damaged is about to be replaced.
  private func proveReadable(_ session: ProfileSession) async throws(AuthError) {
    do throws(AuthError) {
      _ = try await session.stored()
    } catch {
      guard case .storage(.damaged, _) = error else { throw error }
    }
  }

  private func clientSecret(of session: ProfileSession, given: Secret?) async throws(AuthError) -> Secret? {
    guard session.profile.clientAuthentication.needsSecret, session.profile.flow != .token else { return nil }
    if let given { return given }
    return try await session.server.clientSecret()
  }

  private func pair(_ login: Login, _ profile: Profile, _ input: SecretInput) async throws -> TokenPair {
    switch profile.flow {
    case .browser:
      return try await BrowserLogin(invocation, context, settings).pair(login, profile)
    case .password:
      let username = try input.username(of: profile)
      return try await login.password(username: username, password: try input.password())
    case .clientCredentials:
      return try await login.clientCredentials()
    case .token:
      return try login.tokens(try input.tokens())
    }
  }

  private func tell(_ pair: TokenPair, _ session: ProfileSession, madeFile: Bool) throws {
    if invocation.wantsJSON {
      try context.console.write(try ProfileStatus(session, pair, at: context.now()).json.text() + "\n")
    }
    guard !settings.quiet else { return }
    let who = pair.subject.map { " as \(Printable.text($0))" } ?? ""
    let until = pair.remaining(at: context.now()).map { ", token valid for \(DurationText.describe($0))" } ?? ""
    let renewal = session.canRenew(pair) ? ", renewed by itself" : ""
    context.console.note("authctl: logged in to \(session.profile.name)\(who)\(until)\(renewal)")
    if madeFile {
      context.console.note("authctl: settings written to \(context.profiles.file(of: session.profile.name))")
    }
  }
}
