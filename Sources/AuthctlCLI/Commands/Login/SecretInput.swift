import AuthCore
import SystemPackage

/// Reads the secrets of a login from a prompt without echo, standard input, or a file; never from an argument.
struct SecretInput: Sendable {
  let arguments: LoginArguments
  let context: Context

  init(_ arguments: LoginArguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  /// Returns the client secret that was given with this login; nil if none was given.
  func clientSecret(of profile: Profile) throws(AuthError) -> Secret? {
    try secret(
      arguments.clientSecret, what: "the client secret", prompt: SecretInput.clientSecretPrompt(profile))
  }

  /// Returns the initial access token of a registration; nil if none was given.
  func registrationToken(of profile: Profile) throws(AuthError) -> Secret? {
    try secret(
      arguments.registrationToken, what: "the initial access token",
      prompt: "Initial access token for \(profile.serverName): ")
  }

  /// Returns the user name of the profile, or prompts for it.
  func username(of profile: Profile) throws -> String {
    if let name = profile.username { return name }
    let prompt = "User name at \(profile.serverName): "
    guard !context.verbosity.nonInteractive, let name = try context.console.ask(prompt, echo: true), !name.isEmpty
    else {
      throw AuthError.usage("the user's name", why: "it is missing", hint: "use --username, or in the profile")
    }
    return name
  }

  /// Returns a user's password from an option, or prompts for it.
  func password(of username: String?, _ profile: Profile) throws(AuthError) -> Secret {
    let user = username.map { " of \(Escaped.text($0, limit: 80))" } ?? ""
    let prompt = "Password\(user) at \(profile.serverName): "
    let what = "the password"
    if let given = try secret(arguments.password, what: what, prompt: prompt) {
      return given
    }
    return try asked(
      prompt, what, why: "it is missing", hint: "use --password-stdin or --password-file FILE")
  }

  /// Prompts for the client secret of a profile if none is stored for its server.
  ///
  /// - Parameter why: the reason why none is stored.
  func askClientSecret(of profile: Profile, why: String) throws(AuthError) -> Secret {
    try asked(
      SecretInput.clientSecretPrompt(profile), "the client secret", why: why,
      hint: "use --client-secret-stdin or --client-secret-file FILE")
  }

  /// Prompts for a secret without echo.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if there is no terminal for the prompt, or no input.
  func asked(_ prompt: String, _ what: String, why: String, hint: String) throws(AuthError) -> Secret {
    guard !context.verbosity.nonInteractive else { throw .usage(what, why: why, hint: hint) }
    let typed = try typed(prompt, what)
    guard !typed.isEmpty else { throw .usage(what, why: why, hint: hint) }
    return try checked(typed, what)
  }

  /// Prompts for the secret of a client that may have none; nil for none.
  func possibleClientSecret(of profile: Profile) throws(AuthError) -> Secret? {
    let what = "the client secret"
    let typed = try typed(SecretInput.clientSecretPrompt(profile, " (empty if none)"), what)
    return typed.droppingLineEnd.isEmpty ? nil : try checked(typed, what)
  }

  private static func clientSecretPrompt(_ profile: Profile, _ more: String = "") -> String {
    "Client secret of \(Escaped.text(profile.clientID, limit: 80)) at \(profile.serverName)\(more): "
  }

  /// Reads the tokens from standard input.
  func tokens() throws(AuthError) -> String {
    if context.console.terminals.input, !context.verbosity.quiet {
      context.console.note("Paste an access token or the JSON of a token response (not shown), then press Ctrl-D:")
    }
    return try context.console.readAllSecretInput(for: "reading the tokens")
  }

  /// - Parameters:
  ///   - prompt: the prompt for the secret if standard input is a terminal.
  ///   - rule: the access to the file that only its owner may have.
  func secret(
    _ source: LoginArguments.SecretSource?, what: String, prompt: String,
    _ rule: ProtectedFile.Rule = .readableByOwner
  ) throws(AuthError) -> Secret? {
    guard let source else { return nil }
    let text: String
    if let path = source.path {
      text = try SecretInput.contents(path, what: what, rule, instead: source.stdin)
    } else if context.console.terminals.input {
      text = try typed(prompt, what)
    } else {
      text = try context.console.readAllInput(for: what)
    }
    return try checked(text, what)
  }

  private func typed(_ prompt: String, _ what: String) throws(AuthError) -> String {
    try context.console.ask(prompt, echo: false, for: what, hint: "give it as a file") ?? ""
  }

  private func checked(_ text: String, _ what: String) throws(AuthError) -> Secret {
    let trimmed = text.droppingLineEnd
    guard !trimmed.isEmpty else {
      throw .usage(what, why: "it is empty", hint: "check the command that prints it")
    }
    guard !trimmed.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw .usage(what, why: "it contains a line end or control character", hint: "give it on one line")
    }
    return Secret(trimmed)
  }

  /// Returns the text of a secret's file.
  ///
  /// - Parameter instead: the option to use if the user cannot change the file's mode.
  static func contents(
    _ path: String, what: String, _ rule: ProtectedFile.Rule, instead: Option? = nil
  ) throws(AuthError) -> String {
    let bytes = try bytes(path, what: what, rule, instead: instead)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage(what, why: "\(Escaped.text(path)) is not UTF-8 text", hint: "check the path")
    }
    return text
  }

  /// Returns the content of a secret's file; see ``contents(_:what:_:instead:)``.
  static func bytes(
    _ path: String, what: String, _ rule: ProtectedFile.Rule, instead: Option? = nil
  ) throws(AuthError) -> [UInt8] {
    let file = FilePath(path)
    do throws(ProtectedFile.Refusal) {
      return try ProtectedFile(file, rule, mayBePipe: true).contents()
    } catch {
      var hint = error.hint(file, rule)
      switch error {
      case .open, .foreign, .folder: hint += instead.map { "; or use --\($0.long)" } ?? ""
      case .missing, .unreadable, .irregular, .tooLarge: break
      }
      throw .usage(what, why: "\(Escaped.text(path)): \(error.why)", hint: hint)
    }
  }
}

extension Profile {
  /// The host of the server that checks the user's secrets, for prompts. Includes a port that is not the default.
  var serverName: String {
    let issuer = issuer.flatMap { try? WebURL($0) }
    guard let origin = (issuer ?? endpoints.token ?? custom?.base ?? api.first)?.origin else { return name.string }
    return String(origin.string.dropFirst("\(origin.scheme.rawValue)://".count))
  }
}
