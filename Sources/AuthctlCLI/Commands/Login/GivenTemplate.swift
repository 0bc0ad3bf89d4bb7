import AuthCore
import SystemPackage

/// A template with the values for it from the command line.
struct GivenTemplate: Sendable {
  /// The template.
  let template: ProfileTemplate
  /// The checked values by the names of their fields.
  private let values: [String: String]
  /// The values of `--field` by the names of their fields, as given.
  private let texts: [String: String]
  /// The profile settings of the command line.
  private let settings: [GivenSetting]

  /// Reads a command line; nil if it names no template.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a value is invalid, or a field is given twice.
  init?(
    _ invocation: Invocation, _ fields: inout [LoginArguments.Field], _ settings: [GivenSetting]
  ) throws(AuthError) {
    guard let name = invocation.value(TemplateOptions.template), let template = ProfileTemplate.named(name)
    else { return nil }
    try self.init(template, &fields, settings)
  }

  /// Reads the values of a template.
  ///
  /// - Parameters:
  ///   - fields: the values of `--field`; the fields of the template are removed.
  ///   - settings: the options that set keys of the profile. An option with the name of a field sets its value.
  /// - Throws: ``AuthError/usage(_:)`` if a value is invalid, or a field is given twice.
  init(
    _ template: ProfileTemplate, _ fields: inout [LoginArguments.Field], _ settings: [GivenSetting]
  ) throws(AuthError) {
    if settings.contains(where: { $0.setting.key.path == "type" }) {
      throw .usage("--type", why: "the template \(template.name) sets the type", hint: "remove --type or --template")
    }
    var values: [String: String] = [:]
    var texts: [String: String] = [:]
    for field in template.fields {
      let given = fields.first { $0.name == field.name }
      let option = settings.first { $0.setting.key.path == field.name }
      if given != nil, let option {
        throw .usage(
          "--field \(field.name)", why: "can't be combined with --\(option.setting.option.long)",
          hint: "remove one of them")
      }
      guard let text = try given.map(GivenTemplate.text) ?? option?.texts.first else { continue }
      if given != nil { texts[field.name] = text }
      do throws(ProfileTemplate.Field.Fault) {
        values[field.name] = try field.checked(text)
      } catch {
        let place = option.map { "--\($0.setting.option.long)" } ?? "--field \(field.name)"
        throw .usage("\(place) \(Escaped.text(text, limit: 80))", why: error.why, hint: error.hint)
      }
    }
    fields.removeAll { field in template.fields.contains { $0.name == field.name } }
    self.template = template
    self.values = values
    self.texts = texts
    self.settings = settings
    // In a profile of type custom, the other fields fill a request.
    if template.type != .custom, let other = fields.first { throw unknown(other) }
  }

  /// The options that name the template and give its values, quoted for the shell; not those that set a key.
  var options: [String] {
    let fields = template.fields.compactMap { field in
      texts[field.name].map { "--field \(ShellWord.quoted("\(field.name)=\(Escaped.text($0))"))" }
    }
    return ["--template \(template.name)"] + fields
  }

  private static func text(_ field: LoginArguments.Field) throws(AuthError) -> String {
    guard case .text(let text) = field.value else {
      throw .usage(
        "--field \(field.name)", why: "the template needs the value itself, not a file",
        hint: "use --field \(field.name)=\(field.name.uppercased())")
    }
    return text
  }

  /// Returns a new profile.
  ///
  /// - Parameters:
  ///   - implied: the client authentication to use if neither the template nor an option sets it.
  ///   - isForLogin: whether `--flow` with a request's name is for the first login only: what registers a user must not
  ///     be repeated by the next login.
  /// - Throws: ``AuthError/usage(_:)`` if a value is missing or invalid.
  func profile(
    _ name: ProfileName, implied: ClientAuthentication? = nil, isForLogin: Bool = false, _ context: Context
  ) throws -> NewProfile {
    let isOnce = { (given: GivenSetting) in
      isForLogin && template.type == .custom && given.setting.key.path == "flow"
        && given.texts.last != Flow.token.rawValue
    }
    let draft = ProfileDraft(settings.filter { !isOnce($0) }, context.paths)
    try draft.checkFiles()
    let created = "# Created from the template \(template.name). Edit it freely: it is never rewritten.\n#\n"
    let own = context.program.named(hint: template.text(with: try complete(for: name, context)))
    var text = ProfileText(created + own.replacing(bytes: " login NAME", with: " login \(name)"))
    let authentication = ProfileKey.named("client_authentication", of: template.type)
    if let implied, let authentication, !text.has(authentication) {
      text.set(authentication, to: .string(implied.rawValue))
    }
    try draft.set(in: &text, of: template.type, for: name)
    let file = context.profiles.file(of: name).string
    let profile = try Profile(toml: text.string, file: file, name: name)
    let once = ProfileDraft(settings.filter(isOnce), context.paths)
    return NewProfile(profile: try once.applied(to: profile, file: file), text: text.string)
  }

  /// Returns the error for a value of `--field` that neither the template nor a request of the profile needs.
  func unknown(_ field: LoginArguments.Field) -> AuthError {
    let known = template.fields.filter { $0.setting == nil }.map(\.name)
    return .usage(
      "--field \(Escaped.text(field.name, limit: 80))", why: "the template \(template.name) has no such field",
      hint: known.isEmpty ? "it has none" : NearestName.hint(for: field.name, among: known, title: "known"))
  }

  /// Returns the values of all fields; prompts for those that are missing.
  ///
  /// - Throws: ``AuthError/usage(_:)``, with all that is missing, if there is no terminal or its input ends.
  private func complete(for name: ProfileName, _ context: Context) throws -> [String: String] {
    var values = values
    for field in template.fields where values[field.name] == nil && context.verbosity.nonInteractive {
      values[field.name] = try field.standard.map { standard throws(ProfileTemplate.Field.Fault) in
        try field.checked(standard)
      }
    }
    for field in template.fields where values[field.name] == nil && !context.verbosity.nonInteractive {
      guard let value = try asked(field, context) else { break }
      values[field.name] = value
    }
    let missing = template.fields.filter { values[$0.name] == nil }
    guard missing.isEmpty else {
      throw AuthError.usage(
        "profile \(name)",
        why: "the template \(template.name) needs \(missing.map(\.name).joined(separator: ", "))",
        hint: "add \(template.options(for: missing))")
    }
    return values
  }

  /// Prompts for a value until it is valid; nil at the end of input.
  private func asked(_ field: ProfileTemplate.Field, _ context: Context) throws -> String? {
    let standard = field.standard.map { " [\($0)]" } ?? ""
    while let typed = try context.console.ask("\(field.name) (\(field.meaning))\(standard): ", echo: true) {
      do throws(ProfileTemplate.Field.Fault) {
        return try field.checked(typed.isEmpty ? field.standard ?? "" : typed)
      } catch {
        context.console.note("authctl: \(field.name): \(error.why)\n  \(error.hint)")
      }
    }
    return nil
  }
}

/// A profile that has no file yet.
struct NewProfile: Sendable {
  /// The profile.
  let profile: Profile
  /// The text of its file.
  let text: String
}

/// The options that name a template and give its values.
enum TemplateOptions {
  static let template = Option("template", .template("NAME"), summary: "start from a template for a kind of server")
}

extension Option.Value {
  /// The name of a template.
  static func template(_ placeholder: String) -> Option.Value {
    let names = ProfileTemplate.names
    return Option.Value(
      placeholder: placeholder, choices: names, isOpen: true, completion: .none,
      summary: { ProfileTemplate.named($0)?.title ?? "" }
    ) { text in
      guard !names.contains(text) else { return nil }
      return Fault(why: "there is no such template", hint: NearestName.hint(for: text, among: names, title: "known"))
    }
  }
}
