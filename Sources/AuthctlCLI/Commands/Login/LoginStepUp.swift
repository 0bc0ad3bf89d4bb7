import AuthCore

/// How, and how freshly, a person is to log in this time (RFC 9470, section 4).
struct LoginStepUp: Sendable {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// The profile with what is to be asked for at this login, instead of what its `[parameters]` say.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where the profile's login is not one at which the server meets a person.
  func applied(to profile: Profile) throws(AuthError) -> Profile {
    var profile = profile
    for option in [LoginOptions.acrValues, LoginOptions.maxAge] where invocation.has(option) {
      let isAsked = profile.type == .oauth2 && [.browser, .device].contains(profile.flow)
      guard isAsked else { throw LoginStepUp.misplaced(option, profile) }
    }
    if let values = invocation.value(LoginOptions.acrValues) {
      let words = values.split(separator: " ").joined(separator: " ")
      guard !words.isEmpty else {
        throw .usage(.init("--acr-values", why: "it is empty", hint: "name one way to log in, or several"))
      }
      profile.parameters.authorization["acr_values"] = words
    }
    if let age = try invocation.duration(LoginOptions.maxAge) {
      profile.parameters.authorization["max_age"] = String(age.components.seconds)
    }
    return profile
  }

  private static func misplaced(_ option: Option, _ profile: Profile) -> AuthError {
    let login =
      profile.type == .oauth2 ? "logs in by the flow \(profile.flow.rawValue)" : "is of type \(profile.type.rawValue)"
    return .usage(
      .init(
        "--\(option.long)", why: "profile \(profile.name) \(login), without a person at the server",
        hint: "log in with --flow browser or --flow device, if the server can do it"))
  }
}
