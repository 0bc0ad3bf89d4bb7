import AuthCore
import SystemPackage

/// The profile that a login is for.
struct LoginTarget: Sendable {
  /// The profile.
  let profile: Profile
  /// The text of the profile's file, to be written after the login; nil if the file exists.
  let newFile: String?

  /// Finds the profile that a command line names, or creates it from the options.
  ///
  /// - Throws: `AuthError`, with the option that is missing or contradicts the file.
  init(_ arguments: LoginArguments, _ context: Context) async throws {
    guard let name = try ProfileChoice(context).named(arguments.selection) else {
      guard arguments.settings.isEmpty, arguments.discover == nil, arguments.template == nil else {
        throw AuthError.usage(
          .init("login", why: "settings need a profile name", hint: "run: authctl login NAME …"))
      }
      self.init(profile: try ProfileChoice(context).profile(arguments.selection), newFile: nil)
      return
    }
    if let template = arguments.template {
      self = try LoginTarget(name, template, arguments, context)
      return
    }
    let draft = ProfileDraft(arguments.settings, context.paths)
    if let profile = try context.profiles.profile(name) {
      guard arguments.discover == nil else {
        throw AuthError.usage(
          .init(
            "--discover", why: "profile \(name) already exists",
            hint: "run: authctl login \(name); or choose another name"))
      }
      self.init(
        profile: try draft.applied(to: profile, file: context.profiles.file(of: name).string), newFile: nil)
      return
    }
    var discovered: DiscoveredSettings?
    // Before the network is used.
    try draft.checkFiles()
    if let url = arguments.discover { discovered = try await LoginDiscovery(url, draft, context).settings(of: name) }
    let found = draft.adding(discovered?.values ?? [:])
    guard !found.isEmpty else {
      self.init(profile: try ProfileChoice(context).profile(named: name), newFile: nil)
      return
    }
    guard found["type"]?.string != ProfileType.custom.rawValue else {
      throw AuthError.usage(
        .init(
          "profile \(name)", why: "a server with requests of its own can't be described by options",
          hint: "use --template; authctl-profile(5) has one for each kind of server"))
    }
    let implied = arguments.impliedAuthentication
    let whole = found.adding(implied.map { ["client_authentication": .string($0.rawValue)] } ?? [:])
    let profile = try whole.profile(name)
    let text = whole.toml(name, remarks: discovered?.remarks ?? [])
    // A file that can't be read again must not be written: it would make the session unreachable.
    _ = try Profile(toml: text, file: context.profiles.file(of: name).string, name: name)
    self.init(profile: profile, newFile: text)
  }

  /// Creates a target.
  init(profile: Profile, newFile: String?) {
    self.profile = profile
    self.newFile = newFile
  }
}
