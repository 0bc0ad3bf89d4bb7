import AuthCore
import FoundationEssentials

/// Where the values of a request's placeholders come from: `--field`, the options for name and password, or a question.
struct FieldInput: Sendable {
  private let invocation: Invocation
  private let context: Context

  init(_ invocation: Invocation, _ context: Context) {
    self.invocation = invocation
    self.context = context
  }

  /// The values of all placeholders of a request but those that may be absent and are not given.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where one is missing, given twice, unknown, or a secret given as an argument.
  func values(
    of request: CustomRequest, _ server: CustomServer, _ profile: Profile, _ input: SecretInput
  ) throws -> RequestValues {
    let placeholders = request.placeholders
    var values = try given(placeholders, server)
    try fillNameAndPassword(&values, placeholders, profile, input)
    let missing = placeholders.filter { values[$0.name] == nil && !$0.isOptional }
    // The secrets last, as at every login: first who, then the proof.
    for placeholder in missing.filter({ !server.secrets.contains($0.name) })
      + missing.filter({ server.secrets.contains($0.name) })
    {
      values[placeholder.name] = .text(
        try asked(placeholder, profile, isSecret: server.secrets.contains(placeholder.name)))
    }
    return values
  }

  private func given(_ placeholders: [Placeholder], _ server: CustomServer) throws(AuthError) -> RequestValues {
    var values = RequestValues()
    var readsInput = invocation.has(LoginOptions.passwordStdin)
    for text in invocation.values(LoginOptions.field) {
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
        throw .usage(.init("--field", why: "not NAME=VALUE", hint: "use --field name=Alice"))
      }
      let (name, value) = (String(text[..<equals]), text[text.index(after: equals)...])
      guard let placeholder = placeholders.first(where: { $0.name == name }) else { throw unknown(name, placeholders) }
      guard values[name] == nil else {
        throw .usage(.init("--field \(name)", why: "it is given twice", hint: "remove one"))
      }
      if value == "@-" {
        guard !readsInput else {
          throw .usage(
            .init(
              "--field \(name)", why: "standard input is already used for another value",
              hint: "use a file for one of them"))
        }
        readsInput = true
      }
      values[name] = try self.value(value, placeholder, isSecret: server.secrets.contains(name))
    }
    return values
  }

  private func value(
    _ text: Substring, _ placeholder: Placeholder, isSecret: Bool
  ) throws(AuthError) -> RequestValues.Value {
    let option = "--field \(placeholder.name)"
    guard text.hasPrefix("@") else {
      guard !isSecret else {
        let stdin = placeholder.name == "password" ? ", or --password-stdin" : ""
        throw .usage(
          .init(
            option, why: "it is a secret, and all users of this machine can read arguments",
            hint: "use \(option)=@FILE, or @- for standard input\(stdin)"))
      }
      guard !placeholder.isFile else {
        throw .usage(.init(option, why: "it is a file", hint: "use \(option)=@FILE"))
      }
      return .text(Secret(String(text)))
    }
    let path = String(text.dropFirst())
    let content = try content(path, option, isSecret: isSecret)
    if placeholder.isFile { return .file(name: FieldInput.name(path, placeholder), content: content) }
    guard let decoded = String(validating: content, as: UTF8.self) else {
      throw .usage(.init(option, why: "\(Escaped.text(path)) is not UTF-8 text", hint: "convert it to UTF-8"))
    }
    // One line end is the file's or echo's, not the value's. One of two characters is one `Character`.
    return .text(Secret(decoded.last?.isNewline == true ? String(decoded.dropLast()) : decoded))
  }

  /// The file's name without its folder; standard input has the field's.
  private static func name(_ path: String, _ placeholder: Placeholder) -> String {
    path == "-" ? placeholder.name : path.split(separator: "/").last.map(String.init) ?? placeholder.name
  }

  private func content(_ path: String, _ option: String, isSecret: Bool) throws(AuthError) -> [UInt8] {
    if isSecret, path != "-" { return try SecretInput.bytes(path, what: option, .readableByOwner) }
    do {
      if path == "-" { return try Spool(context.console.input, folder: context.spoolFolder).readToEnd() }
      return try InputFile(path: path).content(spoolFolder: context.spoolFolder)
    } catch {
      throw .usage(
        .init(option, why: "\(Escaped.text(path)) can't be read", hint: "check the path and its mode"))
    }
  }

  private func fillNameAndPassword(
    _ values: inout RequestValues, _ placeholders: [Placeholder], _ profile: Profile, _ input: SecretInput
  ) throws {
    let username = placeholders.first { $0.name == "username" }
    let password = placeholders.first { $0.name == "password" }
    let optionsOfPassword = [LoginOptions.passwordStdin, LoginOptions.passwordFile].filter { invocation.has($0) }
    let isNamed = ProfileDraft(invocation, context.paths)["username"] != nil
    if username == nil, isNamed { throw unknown("username", placeholders) }
    if password == nil, !optionsOfPassword.isEmpty { throw unknown("password", placeholders) }
    guard values["password"] == nil || optionsOfPassword.isEmpty else {
      throw AuthError.usage(.init("--field password", why: "the password is given twice", hint: "remove one"))
    }
    if let username, values["username"] == nil, !username.isOptional || profile.username != nil {
      values["username"] = .text(Secret(try input.username(of: profile)))
    }
    // Asked for last, with the other secrets.
    if !optionsOfPassword.isEmpty {
      values["password"] = .text(try input.password(of: profile.username, profile))
    }
  }

  private func asked(_ placeholder: Placeholder, _ profile: Profile, isSecret: Bool) throws -> Secret {
    let option = placeholder.name == "password" ? "--password-stdin, --password-file FILE or " : ""
    let form = "--field \(placeholder.name)=" + (isSecret || placeholder.isFile ? "@FILE" : "VALUE")
    guard !context.verbosity.nonInteractive, !placeholder.isFile,
      let response = try context.console.ask("\(placeholder.name) at \(profile.serverName): ", echo: !isSecret),
      !response.isEmpty
    else {
      throw AuthError.usage(
        .init("the field \(placeholder.name)", why: "it is missing", hint: "use \(option)\(form)"))
    }
    return Secret(response)
  }

  private func unknown(_ name: String, _ placeholders: [Placeholder]) -> AuthError {
    let known = placeholders.map(\.name).sorted()
    let nearest = NearestName.of(name, among: known).map { "did you mean '\($0)'? " } ?? ""
    return .usage(
      .init(
        "--field \(Escaped.text(name, limit: 80))", why: "the request has no such placeholder",
        hint: nearest + (known.isEmpty ? "it has none" : "known: " + known.joined(separator: ", "))))
  }
}
