import AuthCore

/// What the grants by key, by assertion and by exchange need.
extension SecretInput {
  /// How a client authenticates whose secret or key is given with a first login; nil if that does not tell.
  static func impliedAuthentication(_ invocation: Invocation) -> ClientAuthentication? {
    if invocation.has(LoginOptions.clientSecretStdin) || invocation.has(LoginOptions.clientSecretFile) { return .basic }
    let hasKey = invocation.has(LoginOptions.clientKeyStdin) || invocation.has(LoginOptions.clientKeyFile)
    let flow = ProfileSetting.all.first { $0.key.path == "flow" }.flatMap { invocation.value($0.option) }
    guard hasKey, flow != Flow.jwtBearer.rawValue else { return nil }
    return .privateKeyJWT
  }

  /// The same for the settings of a new profile: a client that logs in for itself has a secret unless it has a key.
  static func impliedAuthentication(ofNew invocation: Invocation) -> ClientAuthentication? {
    let flow = ProfileSetting.all.first { $0.key.path == "flow" }.flatMap { invocation.value($0.option) }
    return impliedAuthentication(invocation) ?? (flow == Flow.clientCredentials.rawValue ? .basic : nil)
  }

  /// Refuses options of other flows than the profile's, which would have no effect.
  func checkFlow(of profile: Profile) throws(AuthError) {
    let bound: [(Option, Flow)] = [
      (LoginOptions.assertionStdin, .jwtBearer), (LoginOptions.assertionFile, .jwtBearer),
      (LoginOptions.subjectTokenStdin, .tokenExchange), (LoginOptions.subjectTokenFile, .tokenExchange),
      (LoginOptions.subjectTokenType, .tokenExchange), (LoginOptions.actorTokenFile, .tokenExchange),
      (LoginOptions.actorTokenType, .tokenExchange), (LoginOptions.requestedTokenType, .tokenExchange),
    ]
    let passwords = [LoginOptions.passwordStdin, LoginOptions.passwordFile].map { ($0, Flow.password) }
    // Other types than oauth2 ask for passwords by no flow.
    for (option, flow) in bound + (profile.type == .oauth2 ? passwords : [])
    where invocation.has(option) && profile.flow != flow {
      throw .usage(
        .init(
          "--\(option.long)", why: "it is for the flow \(flow.rawValue), and this is \(profile.flow.rawValue)",
          hint: "add --flow \(flow.rawValue), or remove it"))
    }
    try checkSecrets(of: profile)
  }

  /// Refuses secrets that the login could not use, before one of them is read.
  private func checkSecrets(of profile: Profile) throws(AuthError) {
    let readers = [LoginOptions.clientSecretStdin, LoginOptions.passwordStdin, LoginOptions.clientKeyStdin]
    if profile.custom?.takesTokens ?? (profile.flow == .token), let option = readers.first(where: invocation.has) {
      throw .usage(
        .init("--\(option.long)", why: "the tokens themselves are read from standard input", hint: "give it as a file"))
    }
    if invocation.has(LoginOptions.actorTokenType), !invocation.has(LoginOptions.actorTokenFile) {
      throw .usage(
        .init("--actor-token-type", why: "there is no actor token", hint: "use --actor-token-file FILE"))
    }
    let method = profile.clientAuthentication
    let why = "profile \(profile.name) has client_authentication = \"\(method.rawValue)\""
    if [LoginOptions.clientSecretStdin, LoginOptions.clientSecretFile].contains(where: invocation.has),
      !method.needsSecret
    {
      throw .usage(
        .init(
          "the client secret", why: why,
          hint: "set client_authentication to client_secret_basic or client_secret_post"))
    }
    guard [LoginOptions.clientKeyStdin, LoginOptions.clientKeyFile].contains(where: invocation.has) else { return }
    guard method == .privateKeyJWT || profile.flow == .jwtBearer else {
      throw .usage(
        .init(
          "the client's key", why: why,
          hint: "set client_authentication to private_key_jwt, or use the jwt-bearer flow"))
    }
    guard profile.assertion.key == nil else {
      throw .usage(
        .init(
          "the client's key", why: "profile \(profile.name) names a file of its own as assertion_key",
          hint: "remove assertion_key from the profile to store the key in the keyring"))
    }
  }

  /// The client's private key that was given with this login, proved to be usable; nil where none was.
  func clientKey(of profile: Profile) throws(AuthError) -> Secret? {
    let key: Secret
    if invocation.has(LoginOptions.clientKeyStdin) {
      if context.console.terminals.input {
        context.console.note(
          "Paste the private key of \(Escaped.text(profile.clientID)) (not shown), then press Ctrl-D:")
      }
      key = Secret(try context.console.readAllSecretInput(for: "the client's key"))
    } else if let path = invocation.value(LoginOptions.clientKeyFile) {
      key = try AssertionKeyFile(path).read()
    } else {
      return nil
    }
    try AuthorizationServer.proveUsable(key, profile)
    return key
  }

  /// Platforms put such tokens, which live for minutes, where several programs may read them, Kubernetes with 0644.
  private static let ruleForTokens = ProtectedFile.Rule.writableByOwner

  /// The assertion that was given for the jwt-bearer flow; nil where the client is to sign one.
  func assertion(for profile: Profile) throws(AuthError) -> Secret? {
    guard
      let assertion = try secret(
        LoginOptions.assertionStdin, LoginOptions.assertionFile, what: "the assertion",
        prompt: "Assertion for \(profile.serverName): ", SecretInput.ruleForTokens)
    else { return nil }
    return try token(assertion, "the assertion")
  }

  /// What the token-exchange flow sends.
  func tokenExchange(at profile: Profile) throws(AuthError) -> TokenExchange {
    let prompt = "Subject token for \(profile.serverName): "
    let given = try secret(
      LoginOptions.subjectTokenStdin, LoginOptions.subjectTokenFile, what: "the subject token", prompt: prompt,
      SecretInput.ruleForTokens)
    let subject =
      if let given {
        given
      } else {
        try asked(
          prompt, "the subject token", why: "it is missing",
          hint: "use --subject-token-stdin or --subject-token-file FILE")
      }
    let standard = "urn:ietf:params:oauth:token-type:access_token"
    var exchange = TokenExchange(
      subject: .init(
        try token(subject, "the subject token"), type: try type(LoginOptions.subjectTokenType) ?? standard))
    if let path = invocation.value(LoginOptions.actorTokenFile) {
      let what = "the actor's token"
      let text = try SecretInput.contents(path, what: what, SecretInput.ruleForTokens)
      let actor = try token(Secret(text.trimmingNewline()), what)
      exchange.actor = .init(actor, type: try type(LoginOptions.actorTokenType) ?? standard)
    }
    exchange.requestedType = try type(LoginOptions.requestedTokenType)
    return exchange
  }

  private func token(_ text: Secret, _ what: String) throws(AuthError) -> Secret {
    guard !text.exposed.isEmpty, text.exposed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .usage(
        .init(what, why: "it contains white space or other characters that no token has", hint: "give it alone"))
    }
    return text
  }

  private func type(_ option: Option) throws(AuthError) -> String? {
    guard let text = invocation.value(option) else { return nil }
    guard let type = TokenExchange.typeURN(text) else {
      throw .usage(
        .init(
          "--\(option.long) \(Escaped.text(text, limit: 80))", why: "unknown token type",
          hint: "use a full URI, or one of: " + TokenExchange.typeWords.joined(separator: ", ")))
    }
    return type
  }
}

extension String {
  fileprivate func trimmingNewline() -> String {
    hasSuffix("\n") || hasSuffix("\r\n") ? String(dropLast()) : self
  }
}
