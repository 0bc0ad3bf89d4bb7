import AuthCore

/// The command line of `login` as typed values. Its init finds every contradiction between options.
struct LoginArguments: Sendable {
  /// The source of a secret.
  struct SecretSource: Sendable, Equatable {
    /// The option that was given.
    let option: Option
    /// The file; nil for standard input.
    let path: String?
    /// The option that reads the same secret from standard input.
    let stdin: Option
  }

  /// The value of a placeholder of the profile's request: `--field NAME=VALUE`.
  struct Field: Sendable, Equatable {
    /// The source of the value.
    enum Value: Sendable, Equatable {
      case text(String)
      case standardInput
      case file(String)
    }

    let name: String
    let value: Value
  }

  /// The profile that is named.
  let selection: ProfileSelection
  /// The options that set keys of the profile.
  let settings: [GivenSetting]
  /// The template of a new profile; nil if none is named.
  let template: GivenTemplate?
  /// The API to discover the server from.
  let discover: WebURL?
  /// Whether the login page may be opened.
  let opensBrowser: Bool
  /// The time to wait for the user; nil for the flow's own limit.
  let timeout: Duration?
  let password: SecretSource?
  let clientSecret: SecretSource?
  let clientKey: SecretSource?
  /// The initial access token of a registration (RFC 7591, section 3).
  let registrationToken: SecretSource?
  let assertion: SecretSource?
  let subjectToken: SecretSource?
  /// The token types of a token exchange, as URIs (RFC 8693, section 3).
  let subjectTokenType: String?
  let actorTokenFile: String?
  let actorTokenType: String?
  let requestedTokenType: String?
  let fields: [Field]
  /// `acr_values` of this login (RFC 9470, section 4).
  let acrValues: String?
  /// `max_age` of this login (RFC 9470, section 4).
  let maxAge: Duration?

  /// Reads a command line.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a value is invalid, or two options contradict each other.
  init(_ invocation: Invocation) throws(AuthError) {
    func source(_ stdin: Option, _ file: Option) throws(AuthError) -> SecretSource? {
      let isRead = invocation.has(stdin)
      guard let path = invocation.value(file) else {
        return isRead ? SecretSource(option: stdin, path: nil, stdin: stdin) : nil
      }
      guard !isRead else { throw LoginArguments.together(stdin, file) }
      return SecretSource(option: file, path: path, stdin: stdin)
    }
    password = try source(LoginOptions.passwordStdin, LoginOptions.passwordFile)
    clientSecret = try source(LoginOptions.clientSecretStdin, LoginOptions.clientSecretFile)
    clientKey = try source(LoginOptions.clientKeyStdin, LoginOptions.clientKeyFile)
    assertion = try source(LoginOptions.assertionStdin, LoginOptions.assertionFile)
    subjectToken = try source(LoginOptions.subjectTokenStdin, LoginOptions.subjectTokenFile)
    registrationToken =
      invocation.has(LoginOptions.registrationTokenStdin)
      ? SecretSource(
        option: LoginOptions.registrationTokenStdin, path: nil, stdin: LoginOptions.registrationTokenStdin) : nil
    let readers = [password, clientSecret, clientKey, assertion, subjectToken, registrationToken].compactMap { source in
      source?.path == nil ? source?.option : nil
    }
    if readers.count > 1 { throw LoginArguments.together(readers[0], readers[1]) }
    subjectTokenType = try LoginArguments.tokenType(LoginOptions.subjectTokenType, invocation)
    actorTokenFile = invocation.value(LoginOptions.actorTokenFile)
    actorTokenType = try LoginArguments.tokenType(LoginOptions.actorTokenType, invocation)
    requestedTokenType = try LoginArguments.tokenType(LoginOptions.requestedTokenType, invocation)
    if actorTokenType != nil, actorTokenFile == nil {
      throw .usage(
        .init("--actor-token-type", why: "there is no actor token", hint: "use --actor-token-file FILE"))
    }
    timeout = try LoginArguments.timeout(invocation)
    opensBrowser = !invocation.has(LoginOptions.noBrowser)
    acrValues = try LoginArguments.acrValues(invocation)
    maxAge = invocation.duration(LoginOptions.maxAge)
    var fields = try LoginArguments.fields(invocation, usesInput: !readers.isEmpty, hasPassword: password != nil)
    selection = try ProfileSelection(invocation)
    settings = GivenSetting.all(invocation)
    template = try GivenTemplate(invocation, &fields, settings)
    self.fields = fields
    try LoginArguments.checkProxy(settings)
    discover = try LoginArguments.discover(invocation)
    if discover != nil, template != nil {
      throw LoginArguments.together(LoginOptions.discover, TemplateOptions.template, hint: "remove one of them")
    }
    if discover != nil, ![nil, ProfileType.oauth2.rawValue].contains(value("type")) {
      throw .usage(.init("--discover", why: "it supports type oauth2 only", hint: "remove --discover or --type"))
    }
  }

  /// Returns the text that was given for a key of the profile; nil for none.
  func value(_ path: String) -> String? { settings.first { $0.setting.key.path == path }?.texts.last }

  /// The client authentication that the secrets of a first login imply; nil if they imply none.
  ///
  /// A client of the client-credentials flow has a secret unless it has a key.
  var impliedAuthentication: ClientAuthentication? {
    let flow = value("flow")
    if clientSecret != nil { return .basic }
    if clientKey != nil, flow != Flow.jwtBearer.rawValue { return .privateKeyJWT }
    return flow == Flow.clientCredentials.rawValue ? .basic : nil
  }

  /// Returns the command line of this first login with another option, quoted for the shell.
  func command(adding option: String, to name: ProfileName) -> String {
    let target = discover.map { "\(name) --discover \(ShellWord.quoted($0.description))" } ?? name.string
    let given = settings.flatMap { setting -> [String] in
      let option = "--\(setting.setting.option.long)"
      return setting.texts.isEmpty ? [option] : setting.texts.map { "\(option) \(ShellWord.quoted(Escaped.text($0)))" }
    }
    return (["authctl login \(target)"] + (template?.options ?? []) + given + [option]).joined(separator: " ")
  }

  private static func together(
    _ one: Option, _ other: Option, hint: String = "use a file for one of them"
  ) -> AuthError {
    .usage(.init("--\(one.long)", why: "can't be combined with --\(other.long)", hint: hint))
  }

  private static func tokenType(_ option: Option, _ invocation: Invocation) throws(AuthError) -> String? {
    guard let text = invocation.value(option) else { return nil }
    guard let type = TokenExchange.typeURN(text) else {
      let fault = LoginOptions.tokenTypeFault(text)
      throw .usage(
        .init("--\(option.long) \(Escaped.text(text, limit: 80))", why: fault?.why ?? "", hint: fault?.hint ?? ""))
    }
    return type
  }

  private static func timeout(_ invocation: Invocation) throws(AuthError) -> Duration? {
    guard let text = invocation.value(LoginOptions.timeout) else { return nil }
    guard let timeout = DurationText.parse(text), timeout > .zero else {
      throw .usage(
        .init(
          "--timeout \(Escaped.text(text, limit: 80))", why: "not a valid duration", hint: "use 90s, 15m or 2h"))
    }
    return timeout
  }

  /// Refuses a proxy's password, which all users of the machine can read on the command line.
  private static func checkProxy(_ settings: [GivenSetting]) throws(AuthError) {
    guard let proxy = settings.first(where: { $0.setting.key.path == "network.proxy" }),
      proxy.texts.contains(where: { $0.contains("@") })
    else { return }
    throw .usage(
      .init(
        "--\(proxy.setting.option.long)",
        why: "it contains user information (…@), which all users of this machine can read on the command line",
        hint: "set it in the environment: https_proxy, or http_proxy for http"))
  }

  private static func acrValues(_ invocation: Invocation) throws(AuthError) -> String? {
    guard let values = invocation.value(LoginOptions.acrValues) else { return nil }
    let words = values.split(separator: " ").joined(separator: " ")
    guard !words.isEmpty else {
      throw .usage(.init("--acr-values", why: "it is empty", hint: "name one way to log in, or several"))
    }
    return words
  }

  /// Reads the values of `--field`.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if one is not NAME=VALUE, or given twice.
  static func fields(
    _ invocation: Invocation, usesInput: Bool, hasPassword: Bool
  ) throws(AuthError) -> [Field] {
    var fields: [Field] = []
    var names: Set<String> = []
    var usesInput = usesInput
    for text in invocation.values(LoginOptions.field) {
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
        throw .usage(.init("--field", why: "not NAME=VALUE", hint: "use --field name=Alice"))
      }
      let (name, value) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
      let shown = Escaped.text(name, limit: 80)
      guard names.insert(name).inserted else {
        throw .usage(.init("--field \(shown)", why: "it is given twice", hint: "remove one"))
      }
      guard name != "password" || !hasPassword else {
        throw .usage(.init("--field password", why: "the password is given twice", hint: "remove one"))
      }
      guard value != "@-" || !usesInput else {
        throw .usage(
          .init(
            "--field \(shown)", why: "standard input is already used for another value",
            hint: "use a file for one of them"))
      }
      usesInput = usesInput || value == "@-"
      let isFile = value.hasPrefix("@")
      fields.append(
        Field(
          name: name,
          value: value == "@-" ? .standardInput : isFile ? .file(String(value.dropFirst())) : .text(value)))
    }
    return fields
  }

  private static func discover(_ invocation: Invocation) throws(AuthError) -> WebURL? {
    guard let text = invocation.value(LoginOptions.discover) else { return nil }
    let why: String
    do {
      let url = try WebURL(text)
      if url.origin.isSecure { return url }
      why = "it is plain http: anyone on the network could change the response"
    } catch {
      why = "it is not a usable URL: \(error)"
    }
    throw .usage(
      .init(
        "--discover \(SecretText.redacted(Escaped.text(text)))", why: why,
        hint: "use the API's URL: https://host/path"))
  }
}
