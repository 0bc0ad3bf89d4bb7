import AuthCore

extension Command {
  static let login = Command(
    name: "login", summary: "log in and store the tokens",
    operands: [Operand("URL|PROFILE", optional: true, completion: .profile)],
    manual: Manual(PackageResources.login_md + PackageResources.keys_md), settings: ProfileSetting.all.map(\.option),
    options: LoginOptions.all,
    leading: [
      "issuer", "client-id", "api", "scope", "flow", "template", "username", "redirect-uri", "no-browser",
      "password-stdin", "client-secret-stdin", "client-key-file", "field", "type", "dpop", "default", "cacert",
      "timeout", "json",
    ])
}

extension RunnableCommand {
  static let login = RunnableCommand(.login, LoginArguments.init) { arguments, context in
    let answers = try await LoginQuestions(arguments, context).answers()
    return try await LoginRun(answers, context).run()
  }
}

/// The options of `login` that do not set a profile key.
enum LoginOptions {
  static let noBrowser = Option("no-browser", summary: "print the login URL instead of opening a browser")
  static let complete = Option("complete", summary: "read the address at which the browser ends from standard input")
  static let passwordStdin = Option("password-stdin", summary: "read the password from standard input")
  static let passwordFile = Option("password-file", .file("FILE"), summary: "read the password from a file")
  static let clientSecretStdin = Option("client-secret-stdin", summary: "read the client secret from standard input")
  /// The option of the key `client_secret_file`, which also names the file of a secret that this login stores.
  static let clientSecretFile = Option("client-secret-file", .file("FILE"), summary: "")
  static let field = Option(
    "field", .field("NAME=VALUE"), repeats: true, summary: "fill a placeholder of the profile's request or template")
  static let clientKeyStdin = Option("client-key-stdin", summary: "read the client's private key from standard input")
  static let clientKeyFile = Option(
    "client-key-file", .file("FILE"), summary: "read the client's private key from a file")
  static let registrationTokenStdin = Option(
    "registration-token-stdin", summary: "read the initial access token from standard input")
  static let assertionStdin = Option(
    "assertion-stdin", summary: "read the jwt-bearer flow's assertion from standard input")
  static let assertionFile = Option(
    "assertion-file", .file("FILE"), summary: "read the jwt-bearer flow's assertion from a file")
  static let subjectTokenStdin = Option(
    "subject-token-stdin", summary: "read the token to exchange from standard input")
  /// The option of the key `subject_token_file`, which also names a file for one login.
  static let subjectTokenFile = Option("subject-token-file", .file("FILE"), summary: "")
  /// The option of the key `subject_token_type`, which also names the type for one login.
  static let subjectTokenType = Option("subject-token-type", .text("TYPE"), summary: "")
  /// The keys whose options are for one login, unless its profile has no store.
  static let ofOneLogin = ["client_secret_file", "subject_token_file", "subject_token_type"]
  static let actorTokenFile = Option("actor-token-file", .file("FILE"), summary: "read the actor token from a file")
  static let actorTokenType = Option(
    "actor-token-type", .checked("TYPE", LoginOptions.tokenTypeFault), summary: "the type of the actor token")
  static let requestedTokenType = Option(
    "requested-token-type", .checked("TYPE", LoginOptions.tokenTypeFault),
    summary: "request this type of token in exchange")
  static let discover = Option("discover", .text("URL"), summary: "discover the settings from a URL")
  /// Returns the fault of the name of a token type; nil if it is valid.
  @Sendable static func tokenTypeFault(_ text: String) -> Option.Value.Fault? {
    guard TokenExchange.typeURN(text) == nil else { return nil }
    return .init(
      why: "unknown token type",
      hint: "use a full URI, or one of: " + TokenExchange.typeWords.joined(separator: ", "))
  }

  static let acrValues = Option("acr-values", .text("VALUES"), summary: "require an authentication level, such as MFA")
  static let maxAge = Option("max-age", .duration("DURATION"), summary: "require a login that is not older than this")
  static let timeout = Option("timeout", .duration("DURATION"), summary: "limit the wait for the user's approval")

  static let all =
    [noBrowser, complete, passwordStdin, passwordFile, clientSecretStdin, clientKeyStdin, clientKeyFile]
    + [registrationTokenStdin, assertionStdin, assertionFile, subjectTokenStdin, actorTokenFile, actorTokenType]
    + [requestedTokenType, TemplateOptions.template, field, discover, acrValues, maxAge, timeout, .json]
    + Option.allTrace
}
