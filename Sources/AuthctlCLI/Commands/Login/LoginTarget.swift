import AuthCore
import SystemPackage

/// The profile to log in to.
struct LoginTarget: Sendable {
  /// The profile.
  let profile: Profile
  /// The text of the profile's file, to be written after the login; nil if the file exists.
  let newFile: String?
  /// The API to add to the profile's file after the login; nil for none.
  private(set) var addition: ProfileAddition?
  /// The discovered settings, for a new profile from a URL.
  private(set) var discovered: DiscoveredSettings?
  /// Whether the command line names the profile by a URL.
  private(set) var isByURL = false

  /// Finds the profile that a command line names, or creates it from a URL or from the options.
  ///
  /// - Parameter discovered: the settings that have already been discovered; nil to discover them if necessary.
  /// - Throws: `AuthError`, with the option that is missing or contradicts the file.
  init(
    _ arguments: LoginArguments, _ context: Context, discovered: DiscoveredSettings? = nil
  ) async throws {
    if let address = arguments.address {
      self = try await LoginTarget.target(at: address, arguments, context, discovered)
      isByURL = true
      return
    }
    guard let name = try ProfileChoice(context).named(arguments.selection) else {
      guard arguments.settings.isEmpty, arguments.template == nil else {
        throw AuthError.usage(
          "login", why: "settings need a URL or a profile name",
          hint: "run: authctl login URL …, or authctl login NAME …")
      }
      self.init(profile: try ProfileChoice(context).profile(arguments.selection), newFile: nil)
      return
    }
    if let template = arguments.template {
      self = try await LoginTarget(name, template, arguments, context)
      return
    }
    let draft = ProfileDraft(arguments.settings, context.paths)
    if let profile = try context.profiles.profile(name) {
      self = try LoginTarget(existing: profile, draft, context)
      return
    }
    try draft.checkFiles()
    // Without an issuer, settings for the name of a host are meant for its URL.
    let isHost = LoginAddress(guessing: name.string) != nil && draft["type"] == nil && draft["flow"] == nil
    guard !draft.isEmpty, !isHost || draft["issuer"] != nil else { throw try ProfileChoice(context).missing(name) }
    self = try LoginTarget(new: name, draft, arguments, context, nil)
  }

  private init(profile: Profile, newFile: String?) {
    self.profile = profile
    self.newFile = newFile
  }

  private init(existing profile: Profile, _ draft: ProfileDraft, _ context: Context) throws {
    let file = context.profiles.file(of: profile.name).string
    self.init(profile: try draft.applied(to: profile, file: file), newFile: nil)
    addition = ProfileAddition(draft, to: profile)
    if self.profile.scope != profile.scope, !context.verbosity.quiet {
      context.console.note("authctl: --scope is for this login; \(file) keeps its own")
    }
  }

  private init(
    new name: ProfileName, _ draft: ProfileDraft, _ arguments: LoginArguments, _ context: Context,
    _ discovered: DiscoveredSettings?
  ) throws {
    var whole = draft.adding(discovered?.values ?? [:])
    if let issuer = discovered?.values["issuer"] { whole = whole.replacing("issuer", with: issuer) }  // own text
    guard whole["type"]?.string != ProfileType.custom.rawValue else {
      throw AuthError.usage(
        "profile \(name)", why: "options can't describe a server with custom requests",
        hint: "use --template NAME; see authctl-profile(5) for the templates")
    }
    if discovered == nil {
      try arguments.checkComplete(whole, for: name, isDiscovered: false, context)
    }
    let implied = arguments.impliedAuthentication
    whole = whole.adding(implied.map { ["client_authentication": .string($0.rawValue)] } ?? [:])
    let profile = try whole.profile(name)
    let text = whole.toml(name, remarks: discovered?.remarks ?? [])
    // A file that can't be read again must not be written: it would make the session unreachable.
    _ = try Profile(toml: text, file: context.profiles.file(of: name).string, name: name)
    self.init(profile: profile, newFile: text)
    self.discovered = discovered
  }

  /// Creates the profile from a template.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the profile exists, or a value is missing or invalid.
  private init(
    _ name: ProfileName, _ template: GivenTemplate, _ arguments: LoginArguments, _ context: Context
  ) async throws {
    guard try context.profiles.text(of: name) == nil else {
      throw AuthError.usage(
        "--template", why: "profile \(name) already exists",
        hint: "run: authctl login \(name); or choose another name")
    }
    if !context.verbosity.nonInteractive {
      // Before any question.
      let draft = ProfileDraft(arguments.settings, context.paths)
      try draft.checkFiles()
      try await draft.proveStore(of: name, context)
    }
    let new = try template.profile(name, implied: arguments.impliedAuthentication, isForLogin: true, context)
    self.init(profile: new.profile, newFile: new.text)
  }

  // MARK: - From a URL

  /// Finds the profile for a URL, or creates one by discovery.
  private static func target(
    at address: LoginAddress, _ arguments: LoginArguments, _ context: Context, _ discovered: DiscoveredSettings?
  ) async throws -> LoginTarget {
    var draft = ProfileDraft(arguments.settings, context.paths)
    // Before any request.
    try draft.checkFiles()
    let choice = ProfileChoice(context)
    let named = try choice.named(arguments.selection)
    let known = try named.map { name throws(AuthError) in try context.profiles.profile(name) }
    if let profile = try known ?? choice.profile(for: address) {
      guard profile.isFor(address.url) else { throw taken(profile, address) }
      return try existing(profile, draft, context)
    }
    let provisional = try named ?? address.profileName()
    var found = discovered
    // Before any request, too.
    if let known = try context.profiles.profile(provisional) {
      try await context.proveWritable(storeOf: known)
    } else {
      try arguments.checkComplete(draft, for: provisional, isDiscovered: true, context)
      try await draft.proveStore(of: provisional, context)
    }
    if found == nil { found = try await LoginDiscovery(address, draft, context).settings() }
    let isServer = found?.values["api"] == nil
    if isServer, let own = try profile(ofServer: found, at: address, named, context) {
      return try existing(own, draft, context)
    }
    // The questions of a login have asked already.
    if isServer, discovered == nil, draft["api"] == nil, !context.verbosity.nonInteractive,
      let api = try LoginQuestions(arguments, context).api()
    {
      draft = draft.adding(["api": .array([.string(api)])])
    }
    let name = try named ?? address.profileName(hasAPI: !isServer || draft["api"] != nil)
    if let profile = try context.profiles.profile(name) { throw taken(profile, address) }
    return try LoginTarget(new: name, draft, arguments, context, found)
  }

  /// Returns the profile of a discovered server that has the name of its URL: the URL may be a page of the server.
  private static func profile(
    ofServer found: DiscoveredSettings?, at address: LoginAddress, _ named: ProfileName?, _ context: Context
  ) throws(AuthError) -> Profile? {
    var names = [named].compactMap(\.self)
    if names.isEmpty { names = [try address.profileName(hasAPI: false), try address.profileName()] }
    for name in names {
      guard let profile = try context.profiles.profile(name) else { continue }
      if profile.issuer == found?.values["issuer"]?.string { return profile }
    }
    return nil
  }

  private static func existing(_ profile: Profile, _ draft: ProfileDraft, _ context: Context) throws -> LoginTarget {
    let file = context.profiles.file(of: profile.name).string
    context.note(LoginFact(name: "Profile", value: profile.name.string, source: file))
    return try LoginTarget(existing: profile, draft, context)
  }

  private static func taken(_ profile: Profile, _ address: LoginAddress) -> AuthError {
    let other = (profile.api.map(\.string) + [profile.issuer].compactMap(\.self)).map { Escaped.text($0) }
    return .usage(
      "profile \(profile.name)",
      why: "it exists already, for \(other.isEmpty ? "another server" : other.joined(separator: ", "))",
      hint: "choose another name: \(address.command("-p NAME"))")
  }
}
