import AuthCore

/// Asks which profile or address to log in to, and for settings that discovery does not find.
///
/// Used if the command line of `login` names nothing. The answers become the arguments of an ordinary login, which
/// prompts for a client ID if it needs one. Nothing is stored before that login succeeds.
struct LoginQuestions: Sendable {
  private let arguments: LoginArguments
  private let context: Context

  init(_ arguments: LoginArguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  /// Returns the login that the user wants. Asks questions only if the command line names nothing and there is a
  /// terminal.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the input ends; otherwise the errors of ``LoginDiscovery``.
  func answers() async throws -> LoginAnswers {
    guard arguments.namesNothing, !context.verbosity.nonInteractive, context.variable("AUTHCTL_PROFILE") == nil
    else { return LoginAnswers(arguments: arguments) }
    guard try !context.profiles.names().isEmpty else {
      // No option names another store.
      try await context.proveKeyring()
      return try await newLogin()
    }
    let names = try ProfileChoice(context).candidates()
    guard names.count > 1 else { return LoginAnswers(arguments: arguments) }
    guard let name = try profile(of: names) else { return try await newLogin() }
    return LoginAnswers(arguments: arguments.choosing(name))
  }

  /// Asks the user to choose a profile; nil for another address.
  private func profile(of names: [ProfileName]) throws(AuthError) -> ProfileName? {
    let last = names.count + 1
    for (index, name) in names.enumerated() { context.console.note("  \(index + 1)  \(name)") }
    context.console.note("  \(last)  another address")
    while true {
      let typed = try ask("Profile: ")
      if let name = names.first(where: { $0.string == typed }) { return name }
      if let number = Int(typed), (1...last).contains(number) { return number == last ? nil : names[number - 1] }
      context.console.note("authctl: type a number from 1 to \(last), or the name of a profile")
    }
  }

  // MARK: - A new profile

  private func newLogin() async throws -> LoginAnswers {
    let address: LoginAddress
    switch try start() {
    case .template(let template): return LoginAnswers(arguments: try arguments.starting(from: template))
    case .address(let typed): address = typed
    }
    var answered = arguments
    answered.address = address
    // A profile for this address is used unchanged.
    guard try ProfileChoice(context).profile(for: address) == nil else { return LoginAnswers(arguments: answered) }
    let draft = ProfileDraft(answered.settings, context.paths)
    try await draft.proveStore(of: address.profileName(), context)
    let found = try await discovered(address, &answered)
    if found.values["api"] == nil, let api = try api() { answered.set("api", to: api) }
    if found.server?.metadata.deviceAuthorizationEndpoint != nil, let flow = try flow() {
      answered.set("flow", to: flow)
    }
    return LoginAnswers(arguments: answered, discovered: found)
  }

  /// The address or the template that a login starts from.
  private enum Start {
    case address(LoginAddress)
    case template(ProfileTemplate)
  }

  private func start() throws(AuthError) -> Start {
    while true {
      let typed = try ask("Address of the API or of its server: ")
      if let template = ProfileTemplate.named(typed) { return .template(template) }
      if let address = try address(typed) { return .address(address) }
    }
  }

  /// Returns the address in an answer, with or without its scheme; nil, after a message, if it is not one.
  private func address(_ typed: String) throws(AuthError) -> LoginAddress? {
    if let address = LoginAddress(guessing: typed, forLogin: true) { return address }
    do throws(AuthError) {
      return try LoginAddress(typed, as: "the address")
    } catch {
      report(error)
      return nil
    }
  }

  /// Discovers the settings. If that finds nothing, asks for the authorization server.
  private func discovered(
    _ address: LoginAddress, _ answered: inout LoginArguments
  ) async throws -> DiscoveredSettings {
    let draft = ProfileDraft(answered.settings, context.paths)
    var given: String?
    let found = try await LoginDiscovery(address, draft, context).settings { error throws(AuthError) in
      report(error)
      let issuer = try issuer()
      given = issuer
      return issuer
    }
    if let given { answered.set("issuer", to: given) }
    return found
  }

  private func issuer() throws(AuthError) -> String {
    while true {
      let typed = try ask("Authorization server (issuer): ")
      guard let issuer = try address(typed) else { continue }
      return LoginAddress.isMeant(by: typed) ? typed : issuer.url.string
    }
  }

  /// Asks for the API; nil for none.
  func api() throws(AuthError) -> String? {
    while true {
      let typed = try ask("API that gets the token [none]: ")
      if typed.isEmpty { return nil }
      if let address = try address(typed) { return address.url.string }
    }
  }

  /// Asks for the flow; nil for the default.
  private func flow() throws(AuthError) -> String? {
    while true {
      let typed = try ask("Flow, browser or device [browser]: ")
      if typed.isEmpty { return nil }
      if [Flow.browser.rawValue, Flow.device.rawValue].contains(typed) { return typed }
      context.console.note("authctl: type browser or device")
    }
  }

  /// Prompts for a line, and returns it without surrounding white space.
  ///
  /// - Throws: ``AuthError/usage(_:)`` at the end of the input.
  private func ask(_ prompt: String) throws(AuthError) -> String {
    let hint = "run: authctl login URL"
    guard let typed = try context.console.ask(prompt, echo: true, for: "login", hint: hint) else {
      throw .usage("login", why: "the input has ended; nothing was stored", hint: hint)
    }
    return typed.split(atAny: " \t\r\n").joined(separator: " ")
  }

  private func report(_ error: AuthError) {
    // It goes on: the status is that of the login.
    _ = ErrorReport(error).report(context)
  }
}

/// The login that the user has described by the answers.
struct LoginAnswers: Sendable {
  /// The equivalent command line.
  let arguments: LoginArguments
  /// The settings that have already been discovered; nil for none.
  var discovered: DiscoveredSettings?
}

extension LoginArguments {
  /// Whether neither a profile nor an address nor a setting is given.
  fileprivate var namesNothing: Bool {
    selection == .none && address == nil && template == nil && settings.isEmpty
  }

  /// Returns these arguments with a profile that the user has chosen.
  fileprivate func choosing(_ name: ProfileName) -> LoginArguments {
    var arguments = self
    arguments.selection = ProfileSelection(name)
    return arguments
  }

  /// Returns these arguments with a template, which also names the new profile.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a value of `--field` does not fit the template.
  fileprivate func starting(from template: ProfileTemplate) throws(AuthError) -> LoginArguments {
    var arguments = choosing(try ProfileChoice.name(template.name))
    arguments.template = try GivenTemplate(template, &arguments.fields, settings)
    return arguments
  }

  /// Sets a key of the new profile, as its option would.
  fileprivate mutating func set(_ path: String, to text: String) {
    settings = ProfileSetting.all.compactMap { setting in
      setting.key.path == path
        ? GivenSetting(setting: setting, texts: [text]) : settings.first { $0.setting.key.path == setting.key.path }
    }
  }
}
