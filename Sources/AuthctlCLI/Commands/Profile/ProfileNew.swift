import AuthCore

extension Command {
  static let profileNew = Command(
    name: "profile new", summary: "create a profile from a template", operands: [ProfileOperand.required],
    manual: Manual(PackageResources.profile_new_md + PackageResources.keys_md), settings: ProfileNewOptions.settings,
    options: [TemplateOptions.template, ProfileNewOptions.field],
    leading: ["template", "field", "client-id", "api", "scope", "flow"])
}

extension RunnableCommand {
  static let profileNew = RunnableCommand(.profileNew, ProfileNewArguments.init) { arguments, context in
    let name = arguments.name
    let file = context.profiles.file(of: name)
    guard try context.profiles.text(of: name) == nil else {
      throw AuthError.usage(
        "profile \(name)", why: "it already exists",
        hint: "run: authctl profile edit \(name); or choose another name")
    }
    let new = try arguments.template.profile(name, context)
    try context.profiles.write(new.text, as: name)
    if !context.verbosity.quiet {
      context.console.show(
        "authctl: profile \(name) written to \(file)\n  log in with: authctl login \(name)", as: .success)
    }
    return .ok
  }
}

/// The options of `profile new`.
enum ProfileNewOptions {
  static let field = Option(
    "field", .text("NAME=VALUE"), repeats: true, summary: "set a value that the template needs")
  /// The options that set keys of the profile; the template sets the type.
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
        invocation.command.name, why: "--template is missing",
        hint: "add --template NAME, one of: \(ProfileTemplate.names.joined(separator: ", "))")
    }
    if let other = fields.first { throw template.unknown(other) }
    self.template = template
  }
}
