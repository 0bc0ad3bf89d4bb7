import AuthCore

extension Command {
  static let profileNew = Command(
    name: "profile new", summary: "create a profile from a template", operands: [ProfileOperand.required],
    description: """
      Writes the file of a new profile from the template of a kind of server. Nothing is sent; log in with \
      `authctl login NAME`. `authctl login NAME --template …` does both in one step.

      The values that the template needs are given as options. On a terminal, it prompts for those that are missing; \
      otherwise the error names all of them, and the exit status is 2.
      """,
    options: [TemplateOptions.template, ProfileNewOptions.field] + ProfileNewOptions.settings,
    leading: ["template", "field", "client-id", "api", "scope", "flow"],
    examples: [
      Example(
        "authctl profile new gh --template github --client-id ID",
        "Creates the profile `gh` for GitHub."),
      Example(
        "authctl profile new kc --template keycloak --field realm=main",
        "Creates a profile for a realm of Keycloak; it prompts for the host."),
      Example(
        "authctl profile new app --template json-pair --field base=api.example.com",
        "Creates a profile for a server with requests of its own."),
    ])
}

extension RunnableCommand {
  static let profileNew = RunnableCommand(.profileNew, ProfileNewArguments.init) { arguments, context in
    let name = arguments.name
    let file = context.profiles.file(of: name)
    guard try context.profiles.text(of: name) == nil else {
      throw AuthError.usage(
        .init(
          "profile \(name)", why: "it already exists",
          hint: "run: authctl profile edit \(name); or choose another name"))
    }
    let new = try arguments.template.profile(name, context)
    try context.profiles.write(new.text, as: name)
    if !context.verbosity.quiet {
      context.console.note("authctl: profile \(name) written to \(file)\n  log in with: authctl login \(name)")
    }
    return .ok
  }
}

/// The options of `profile new`.
enum ProfileNewOptions {
  static let field = Option(
    "field", .text("NAME=VALUE"), repeats: true, summary: "give a value that the template needs")
  /// The options that set keys of the profile; the type is the template's.
  static let settings = ProfileSetting.all.filter { $0.key.path != "type" }.map(\.option)
}

/// The command line of `profile new`.
struct ProfileNewArguments: Sendable {
  /// The name of the profile.
  let name: ProfileName
  /// The template and its values.
  let template: GivenTemplate

  /// - Throws: ``AuthError/usage(_:)`` if there is no template, or a value is invalid.
  init(_ invocation: Invocation) throws(AuthError) {
    name = try ProfileSelection(invocation).requiredName(for: invocation.command.name)
    var fields = try LoginArguments.fields(invocation, usesInput: false, hasPassword: false)
    guard let template = try GivenTemplate(invocation, &fields, GivenSetting.all(invocation)) else {
      throw .usage(
        .init(
          invocation.command.name, why: "no template named",
          hint: "add --template NAME, one of: \(ProfileTemplate.names.joined(separator: ", "))"))
    }
    if let other = fields.first { throw template.unknown(other) }
    self.template = template
  }
}
