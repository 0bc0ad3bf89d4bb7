import AuthCore
import FoundationEssentials

/// Collects the values of a request's placeholders from `--field`, the name and password options, or prompts.
struct FieldInput: Sendable {
  private let arguments: LoginArguments
  private let context: Context

  init(_ arguments: LoginArguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  /// Returns the values of all placeholders of a request; optional ones may be missing.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a value is missing, given twice or unknown, or a secret is given as an
  ///   argument.
  func values(
    of request: CustomRequest, _ server: CustomServer, _ profile: Profile, _ input: SecretInput
  ) throws -> RequestValues {
    let placeholders = request.placeholders
    var values = try given(placeholders, server)
    try fillNameAndPassword(&values, placeholders, profile, input)
    let missing = placeholders.filter { values[$0.name] == nil && !$0.isOptional }
    // As in every login, the secrets are prompted for last, after the user name.
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
    for field in arguments.fields {
      guard let placeholder = placeholders.first(where: { $0.name == field.name }) else {
        throw unknown(field.name, placeholders)
      }
      values[field.name] = try value(field.value, placeholder, isSecret: server.secrets.contains(field.name))
    }
    return values
  }

  private func value(
    _ given: LoginArguments.Field.Value, _ placeholder: Placeholder, isSecret: Bool
  ) throws(AuthError) -> RequestValues.Value {
    let option = "--field \(placeholder.name)"
    let (path, content): (String, [UInt8])
    switch given {
    case .text(let text):
      guard !isSecret else {
        let stdin = placeholder.name == "password" ? ", or --password-stdin" : ""
        throw .usage(
          option, why: "it is a secret, and all users of this machine can read arguments",
          hint: "use \(option)=@FILE, or @- for standard input\(stdin)")
      }
      guard !placeholder.isFile else {
        throw .usage(option, why: "it is a file", hint: "use \(option)=@FILE")
      }
      return .text(Secret(text))
    case .standardInput: (path, content) = ("-", try self.content("-", option, isSecret: isSecret))
    case .file(let file): (path, content) = (file, try self.content(file, option, isSecret: isSecret))
    }
    if placeholder.isFile { return .file(name: FieldInput.name(path, placeholder), content: content) }
    guard let decoded = String(validating: content, as: UTF8.self) else {
      throw .usage(option, why: "\(Escaped.text(path)) is not UTF-8 text", hint: "convert it to UTF-8")
    }
    return .text(Secret(decoded.droppingLineEnd))
  }

  /// Returns the file's name without its directory; for standard input, the field's name.
  private static func name(_ path: String, _ placeholder: Placeholder) -> String {
    path == "-" ? placeholder.name : path.split(atAny: "/").last.map(String.init) ?? placeholder.name
  }

  private func content(_ path: String, _ option: String, isSecret: Bool) throws(AuthError) -> [UInt8] {
    if isSecret, path != "-" { return try SecretInput.bytes(path, what: option, .readableByOwner) }
    do {
      if path == "-" { return try Spool(context.console.input, folder: context.spoolFolder).readToEnd() }
      return try InputFile(path: path).content(spoolFolder: context.spoolFolder)
    } catch {
      throw .usage(option, why: "\(Escaped.text(path)) can't be read", hint: "check the path and its mode")
    }
  }

  private func fillNameAndPassword(
    _ values: inout RequestValues, _ placeholders: [Placeholder], _ profile: Profile, _ input: SecretInput
  ) throws {
    let username = placeholders.first { $0.name == "username" }
    let password = placeholders.first { $0.name == "password" }
    if username == nil, arguments.value("username") != nil { throw unknown("username", placeholders) }
    if password == nil, arguments.password != nil { throw unknown("password", placeholders) }
    if let username, values["username"] == nil, !username.isOptional || profile.username != nil {
      values["username"] = .text(Secret(try input.username(of: profile)))
    }
    // Prompted for last, with the other secrets.
    if arguments.password != nil {
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
      throw AuthError.usage("the field \(placeholder.name)", why: "it is missing", hint: "use \(option)\(form)")
    }
    return Secret(response)
  }

  private func unknown(_ name: String, _ placeholders: [Placeholder]) -> AuthError {
    let known = placeholders.map(\.name).sorted()
    return .usage(
      "--field \(Escaped.text(name, limit: 80))", why: "the request has no such placeholder",
      hint: known.isEmpty ? "it has none" : NearestName.hint(for: name, among: known, title: "known"))
  }
}
