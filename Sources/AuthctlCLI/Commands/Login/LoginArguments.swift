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
  var selection: ProfileSelection
  /// The options that set keys of the profile.
  var settings: [GivenSetting]
  /// The template of a new profile; nil if none is named.
  var template: GivenTemplate?
  /// The URL that selects the profile or starts the discovery; nil if none is given.
  var address: LoginAddress?
  /// Whether the login page may be opened.
  let opensBrowser: Bool
  /// Whether standard input has the address at which the browser ends.
  let completes: Bool
  /// The time to wait for the user; nil for the flow's own limit.
  let timeout: Duration?
  let password: SecretSource?
  let clientSecret: SecretSource?
  let clientKey: SecretSource?
  /// The initial access token of a registration (RFC 7591, section 3).
  let registrationToken: SecretSource?
  let assertion: SecretSource?
  let subjectToken: SecretSource?
  /// All of them that were given.
  let secretSources: [SecretSource]
  /// The token types of a token exchange, as URIs (RFC 8693, section 3).
  let subjectTokenType: String?
  let actorTokenFile: String?
  let actorTokenType: String?
  let requestedTokenType: String?
  var fields: [Field]
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
      try invocation.refuse(stdin, with: [file], hint: LoginArguments.useFile)
      return SecretSource(option: file, path: path, stdin: stdin)
    }
    password = try source(LoginOptions.passwordStdin, LoginOptions.passwordFile)
    let given = GivenSetting.all(invocation)
    let isStored = given.first { $0.setting.key.path == "store" }?.texts.last != StoreKind.nothing.rawValue
    if !isStored { try LoginArguments.refuseStoredSecrets(invocation) }
    let command = given.first { $0.setting.key.path == "subject_token_command" }?.setting.option
    if let command {
      try invocation.refuse(command, with: [LoginOptions.subjectTokenStdin, LoginOptions.subjectTokenFile])
    }
    // With a store, these options are for this login only; else the profile names the files. The type of a token that
    // the profile's command prints belongs to the profile.
    let ofOneLogin =
      isStored ? LoginOptions.ofOneLogin.filter { command == nil || $0 != "subject_token_type" } : []
    settings = given.filter { !ofOneLogin.contains($0.setting.key.path) }
    clientSecret = isStored ? try source(LoginOptions.clientSecretStdin, LoginOptions.clientSecretFile) : nil
    clientKey = try source(LoginOptions.clientKeyStdin, LoginOptions.clientKeyFile)
    assertion = try source(LoginOptions.assertionStdin, LoginOptions.assertionFile)
    subjectToken = isStored ? try source(LoginOptions.subjectTokenStdin, LoginOptions.subjectTokenFile) : nil
    registrationToken =
      invocation.has(LoginOptions.registrationTokenStdin)
      ? SecretSource(
        option: LoginOptions.registrationTokenStdin, path: nil, stdin: LoginOptions.registrationTokenStdin) : nil
    secretSources = [password, clientSecret, clientKey, registrationToken, assertion, subjectToken].compactMap(\.self)
    let readers = secretSources.filter { $0.path == nil }.map(\.option)
    try invocation.allowOne(of: readers, hint: LoginArguments.useFile)
    let type = try LoginArguments.tokenType(LoginOptions.subjectTokenType, invocation)
    subjectTokenType = ofOneLogin.contains("subject_token_type") ? type : nil
    actorTokenFile = invocation.value(LoginOptions.actorTokenFile)
    actorTokenType = try LoginArguments.tokenType(LoginOptions.actorTokenType, invocation)
    requestedTokenType = try LoginArguments.tokenType(LoginOptions.requestedTokenType, invocation)
    if actorTokenType != nil, actorTokenFile == nil {
      throw .usage("--actor-token-type", why: "there is no actor token", hint: "use --actor-token-file FILE")
    }
    timeout = try LoginArguments.timeout(invocation)
    opensBrowser = !invocation.has(LoginOptions.noBrowser)
    completes = invocation.has(LoginOptions.complete)
    if completes, let other = readers.first {
      throw .usage("--complete", why: "standard input is already used for --\(other.long)", hint: "use a file for it")
    }
    acrValues = try LoginArguments.acrValues(invocation)
    maxAge = invocation.duration(LoginOptions.maxAge)
    var fields = try LoginArguments.fields(
      invocation, usesInput: completes || !readers.isEmpty, hasPassword: password != nil)
    address = try LoginArguments.address(invocation)
    selection = try LoginArguments.selection(invocation)
    template = try GivenTemplate(invocation, &fields, settings)
    self.fields = fields
    try LoginArguments.checkProxy(settings)
    try checkAddress()
  }

  private func checkAddress() throws(AuthError) {
    guard let address else { return }
    guard template == nil else {
      throw .usage("--template", why: "can't be combined with a URL", hint: "remove one of them")
    }
    guard let type = value("type"), type != ProfileType.oauth2.rawValue else { return }
    throw .usage(
      "--type \(type)", why: "only a server of type oauth2 can be discovered from a URL",
      hint: "name the profile: authctl login NAME --type … --api \(ShellWord.quoted(address.url.description))")
  }

  /// Returns the text that was given for a key of the profile; nil for none.
  func value(_ path: String) -> String? { settings.first { $0.setting.key.path == path }?.texts.last }

  /// The client authentication that the secrets of a first login imply; nil if they imply none.
  ///
  /// A client of the client-credentials flow has a secret unless it has a key.
  var impliedAuthentication: ClientAuthentication? {
    let flow = value("flow")
    if clientSecret != nil || value("client_secret_file") != nil { return .basic }
    if clientKey != nil, flow != Flow.jwtBearer.rawValue { return .privateKeyJWT }
    return flow == Flow.clientCredentials.rawValue ? .basic : nil
  }

  /// Returns the command line of this first login with another option, quoted for the shell.
  func command(adding option: String, to name: ProfileName) -> String {
    let named = selection.name.map { " -p \($0)" } ?? ""
    let target = address.map { ShellWord.quoted($0.url.description) + named } ?? name.string
    let given = settings.flatMap { setting -> [String] in
      let option = "--\(setting.setting.option.long)"
      return setting.texts.isEmpty ? [option] : setting.texts.map { "\(option) \(ShellWord.quoted(Escaped.text($0)))" }
    }
    let sources = secretSources.map { source in
      "--\(source.option.long)" + (source.path.map { " " + ShellWord.quoted(Escaped.text($0)) } ?? "")
    }
    return (["authctl login \(target)"] + (template?.options ?? []) + given + sources + [option])
      .joined(separator: " ")
  }

  /// Refuses secrets that would have to be stored.
  private static func refuseStoredSecrets(_ invocation: Invocation) throws(AuthError) {
    let instead = [
      (LoginOptions.clientSecretStdin, "--client-secret-file"), (LoginOptions.clientKeyStdin, "--assertion-key"),
      (LoginOptions.clientKeyFile, "--assertion-key"), (LoginOptions.subjectTokenStdin, "--subject-token-file"),
    ]
    for (option, other) in instead where invocation.has(option) {
      throw .usage(
        "--\(option.long)", why: "with --store none nothing is stored",
        hint: "use \(other) FILE, which each command then reads")
    }
  }

  private static let useFile = "use a file for one of them"

  private static func tokenType(_ option: Option, _ invocation: Invocation) throws(AuthError) -> String? {
    guard let text = invocation.value(option) else { return nil }
    guard let type = TokenExchange.typeURN(text) else {
      let fault = LoginOptions.tokenTypeFault(text)
      throw .usage("--\(option.long) \(Escaped.text(text, limit: 80))", why: fault?.why ?? "", hint: fault?.hint ?? "")
    }
    return type
  }

  private static func timeout(_ invocation: Invocation) throws(AuthError) -> Duration? {
    guard let text = invocation.value(LoginOptions.timeout) else { return nil }
    guard let timeout = DurationText.parse(text), timeout > .zero else {
      throw .usage(
        "--timeout \(Escaped.text(text, limit: 80))", why: "not a valid duration", hint: "use 90s, 15m or 2h")
    }
    return timeout
  }

  /// Refuses a proxy's password, which all users of the machine can read on the command line.
  private static func checkProxy(_ settings: [GivenSetting]) throws(AuthError) {
    guard let proxy = settings.first(where: { $0.setting.key.path == "network.proxy" }) else { return }
    try ProxySettings.refuseUserInformation(in: proxy.texts, of: "--\(proxy.setting.option.long)")
  }

  private static func acrValues(_ invocation: Invocation) throws(AuthError) -> String? {
    guard let values = invocation.value(LoginOptions.acrValues) else { return nil }
    let words = values.split(atAny: " ").joined(separator: " ")
    guard !words.isEmpty else {
      throw .usage("--acr-values", why: "it is empty", hint: "name one way to log in, or several")
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
      guard let equals = text.firstIndex(ofAny: "="), equals > text.startIndex else {
        throw .usage("--field", why: "not NAME=VALUE", hint: "use --field name=Alice")
      }
      let (name, value) = (String(text[..<equals]), String(text.suffix(after: equals)))
      let shown = Escaped.text(name, limit: 80)
      guard names.insert(name).inserted else {
        throw .usage("--field \(shown)", why: "it is given twice", hint: "remove one")
      }
      guard name != "password" || !hasPassword else {
        throw .usage("--field password", why: "the password is given twice", hint: "remove one")
      }
      guard value != "@-" || !usesInput else {
        throw .usage(
          "--field \(shown)", why: "standard input is already used for another value",
          hint: "use a file for one of them")
      }
      usesInput = usesInput || value == "@-"
      let file = value.dropping(prefix: "@")
      fields.append(
        Field(
          name: name,
          value: value == "@-" ? .standardInput : file.map { .file(String($0)) } ?? .text(value)))
    }
    return fields
  }

  /// Returns the URL that is the argument or the value of `--discover`.
  private static func address(_ invocation: Invocation) throws(AuthError) -> LoginAddress? {
    let operand = invocation.operands.first { LoginAddress.isMeant(by: $0) }
    let option = invocation.value(LoginOptions.discover)
    guard operand == nil || option == nil else {
      throw .usage("--discover", why: "the command line already has a URL", hint: "remove --discover")
    }
    let more = repeatedName(invocation)
    if let option { return try LoginAddress(option, as: "--discover", repeating: more) }
    return try operand.map { text throws(AuthError) in try LoginAddress(text, as: "login", repeating: more) }
  }

  /// Returns the `-p NAME` of the command line, for a hint that repeats it; empty if there is none.
  private static func repeatedName(_ invocation: Invocation) -> String {
    invocation.value(.profile).flatMap { ProfileName($0) }.map { "-p \($0)" } ?? ""
  }

  /// Returns the profile that is named, if the argument is not a URL.
  private static func selection(_ invocation: Invocation) throws(AuthError) -> ProfileSelection {
    let operands = invocation.operands.filter { !LoginAddress.isMeant(by: $0) }
    for text in operands where ProfileName(text) == nil {
      guard let meant = LoginAddress(guessing: text, forLogin: true) else { continue }
      throw .usage(
        "login \(Escaped.text(text))", why: "it is a URL without a scheme",
        hint: "run: \(meant.command(repeatedName(invocation)))")
    }
    return try ProfileSelection(invocation, operands: operands)
  }
}
