import AuthCore

/// Finds the profile that a command line means.
struct ProfileChoice: Sendable {
  private let context: Context
  private let memory: ProfileMemory?
  private let requiresFiles: Bool

  /// - Parameters:
  ///   - memory: what was read once; nil where every look is at the files.
  ///   - requiresFiles: whether the files that a profile names must exist.
  init(_ context: Context, remembering memory: ProfileMemory? = nil, requiringFiles requiresFiles: Bool = true) {
    self.context = context
    self.memory = memory
    self.requiresFiles = requiresFiles
  }

  /// Takes a name as it was typed.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it can't be a profile's name.
  static func name(_ text: String) throws(AuthError) -> ProfileName {
    guard let name = ProfileName(text) else {
      throw .usage(
        .init(
          "profile '\(Escaped.text(text, limit: 80))'", why: "invalid profile name",
          hint: "use 1 to 64 letters, digits and . _ -; the first is a letter or digit"))
    }
    return name
  }

  /// The profile of that name.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where there is none.
  func profile(named name: ProfileName) throws(AuthError) -> Profile {
    if let profile = try read(name) { return profile }
    let known = try names().map(\.string)
    let nearest = NearestName.of(name.string, among: known).map { "did you mean '\($0)'? " } ?? ""
    throw .usage(
      .init(
        "profile \(name)", why: "there is no such profile",
        hint: nearest + "to create it: authctl login \(name) --issuer URL --client-id ID --api URL"))
  }

  /// The profile that was named by option or environment, else the default one, else the only one.
  func profile(_ invocation: Invocation) throws(AuthError) -> Profile {
    if let named = try named(invocation) { return try profile(named: named) }
    return try theOne(among: try all { !$0.isEmpty })
  }

  /// The profile for a URL: the one that was named, else the one whose `api` has the URL's origin.
  func profile(_ invocation: Invocation, holding url: WebURL) throws(AuthError) -> Profile {
    if let named = try named(invocation) { return try profile(named: named) }
    let holding = try all { $0.contains { $0.origins.contains(url.origin) } }
      .filter { $0.origins.contains(url.origin) }
    guard !holding.isEmpty else {
      throw .origin(
        .init(
          "calling \(url)", why: "no profile has the origin \(url.origin) in its api",
          hint:
            "add it to a profile's api, or create a profile: authctl login NAME --discover \(url.origin) --client-id ID"
            + " (or, if the API does not publish its server: --issuer URL --api \(url.origin))"))
    }
    return try theOne(among: holding)
  }

  /// The profiles that were named as operands, by `--all`, or the one that is meant without either.
  func profiles(_ invocation: Invocation, all wantsAll: Bool) throws(AuthError) -> [ProfileName] {
    let operands = try invocation.operands.map { text throws(AuthError) in try ProfileChoice.name(text) }
    if wantsAll {
      guard operands.isEmpty, !invocation.has(.profile) else {
        throw .usage(.init("--all", why: "it means every profile, but one is named, too", hint: "remove one of them"))
      }
      return try context.profiles.names()
    }
    if !operands.isEmpty {
      if let option = invocation.value(.profile), operands.map(\.string) != [option] {
        throw .usage(
          .init(
            "--profile \(Escaped.text(option, limit: 80))", why: "another profile is named, too",
            hint: "name one profile")
        )
      }
      return operands
    }
    return [try profile(invocation).name]
  }

  /// The name given by `--profile` or `AUTHCTL_PROFILE`; nil where neither is.
  func named(_ invocation: Invocation) throws(AuthError) -> ProfileName? {
    guard let text = invocation.value(.profile) ?? context.variable("AUTHCTL_PROFILE") else { return nil }
    return try ProfileChoice.name(text)
  }

  /// All profiles that can be read; one that can't must not keep the others from their use.
  ///
  /// - Throws: the error of the first that can't be read, where `isEnough` is not content with the others.
  private func all(unless isEnough: ([Profile]) -> Bool) throws(AuthError) -> [Profile] {
    var profiles: [Profile] = []
    var failure: AuthError?
    for name in try names() {
      do throws(AuthError) {
        if let profile = try read(name) { profiles.append(profile) }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure, !isEnough(profiles) { throw failure }
    return profiles
  }

  private func read(_ name: ProfileName) throws(AuthError) -> Profile? {
    guard let memory else { return try context.profiles.profile(name, requiringFiles: requiresFiles) }
    return try memory.profile(name) { name throws(AuthError) in try context.profiles.profile(name) }
  }

  private func names() throws(AuthError) -> [ProfileName] {
    guard let memory else { return try context.profiles.names() }
    return try memory.names { () throws(AuthError) in try context.profiles.names() }
  }

  /// That there is no profile to work on.
  static let none = AuthError.usage(
    .init(
      "choosing a profile", why: "no profile configured yet",
      hint: "run: authctl login NAME --issuer URL --client-id ID --api URL"))

  private func theOne(among profiles: [Profile]) throws(AuthError) -> Profile {
    if let only = profiles.first, profiles.count == 1 { return only }
    let defaults = profiles.filter(\.isDefault)
    if let chosen = defaults.first, defaults.count == 1 { return chosen }
    guard !profiles.isEmpty else { throw ProfileChoice.none }
    let names = (defaults.isEmpty ? profiles : defaults).map(\.name.string).joined(separator: ", ")
    throw .usage(
      .init(
        "more than one profile matches", why: names,
        hint: "add --profile NAME, set AUTHCTL_PROFILE, or set default = true in one of them"))
  }
}
