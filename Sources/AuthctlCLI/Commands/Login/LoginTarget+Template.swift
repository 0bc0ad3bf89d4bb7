import AuthCore

extension LoginTarget {
  /// Creates the profile from a template.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the profile exists, or a value is missing or invalid.
  init(_ name: ProfileName, _ template: GivenTemplate, _ arguments: LoginArguments, _ context: Context) throws {
    guard try context.profiles.text(of: name) == nil else {
      throw AuthError.usage(
        .init(
          "--template", why: "profile \(name) already exists",
          hint: "run: authctl login \(name); or choose another name"))
    }
    let new = try template.profile(name, implied: arguments.impliedAuthentication, context)
    self.init(profile: new.profile, newFile: new.text)
  }
}
