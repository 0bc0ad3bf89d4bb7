import AuthCore

/// The secrets of the jwt-bearer and token-exchange flows, and the client's private key.
extension SecretInput {
  /// Returns the client's private key that was given with this login, after a check; nil if none was given.
  func clientKey(of profile: Profile) throws(AuthError) -> Secret? {
    guard let source = arguments.clientKey else { return nil }
    let key: Secret
    if let path = source.path {
      key = try AssertionKeyFile(path).read()
    } else {
      if context.console.terminals.input {
        context.console.note(
          "Paste the private key of \(Escaped.text(profile.clientID)) (not shown), then press Ctrl-D:")
      }
      key = Secret(try context.console.readAllSecretInput(for: "the client's key"))
    }
    try AuthorizationServer.proveUsable(key, profile)
    return key
  }

  /// Platforms store such short-lived tokens in files that several programs may read; Kubernetes uses mode 0644.
  private static let ruleForTokens = ProtectedFile.Rule.writableByOwner

  /// Returns the assertion that was given for the jwt-bearer flow; nil if the client signs one.
  func assertion(for profile: Profile) throws(AuthError) -> Secret? {
    guard
      let assertion = try secret(
        arguments.assertion, what: "the assertion",
        prompt: "Assertion for \(profile.serverName): ", SecretInput.ruleForTokens)
    else { return nil }
    return try token(assertion, "the assertion")
  }

  /// Returns the tokens and types that the token-exchange flow sends.
  func tokenExchange(at profile: Profile) throws(AuthError) -> TokenExchange {
    let prompt = "Subject token for \(profile.serverName): "
    let given = try secret(
      arguments.subjectToken, what: "the subject token", prompt: prompt, SecretInput.ruleForTokens)
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
        try token(subject, "the subject token"), type: arguments.subjectTokenType ?? standard))
    if let path = arguments.actorTokenFile {
      let what = "the actor's token"
      let text = try SecretInput.contents(path, what: what, SecretInput.ruleForTokens)
      let actor = try token(Secret(text.droppingLineEnd), what)
      exchange.actor = .init(actor, type: arguments.actorTokenType ?? standard)
    }
    exchange.requestedType = arguments.requestedTokenType
    return exchange
  }

  private func token(_ text: Secret, _ what: String) throws(AuthError) -> Secret {
    guard !text.exposed.isEmpty, text.exposed.isVisibleASCII else { throw .notAToken(what) }
    return text
  }
}
