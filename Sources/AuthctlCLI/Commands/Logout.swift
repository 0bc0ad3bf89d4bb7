import AuthCore

extension Command {
  static let logout = Command(
    name: "logout", summary: "revoke and delete the tokens",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    manual: Manual(PackageResources.logout_md),
    options: [LogoutOptions.all, LogoutOptions.localOnly, .json] + Option.allTrace)
}

extension RunnableCommand {
  static let logout = RunnableCommand(.logout, LogoutArguments.init) { arguments, context in
    let names = try ProfileChoice(context).profiles(arguments.profiles)
    return try await EachProfile(context).run(names) { profile, session throws(AuthError) in
      if profile.isOnDemand {
        try await session.invalidateCache()
        return ("nothing_stored", "nothing is stored")
      }
      switch try await session.logOutWithOutcome(localOnly: arguments.isLocal) {
      case .nothingStored: return ("nobody_logged_in", "was not logged in")
      case .done(revoked: true): return ("logged_out", "logged out, tokens revoked")
      case .done:
        let why = arguments.isLocal ? "not revoked at the server" : LogoutOptions.missing(profile)
        return ("logged_out_locally", "logged out here; \(why)")
      case .notRevoked(let error):
        if !context.verbosity.quiet { context.console.note("\(profile.name): logged out here") }
        throw error
      }
    }
  }
}

/// The options of `logout`.
enum LogoutOptions {
  static let all = Option("all", summary: "log out of every profile")
  static let localOnly = Option("local-only", summary: "delete the tokens without revoking them")

  /// Returns the reason why the tokens could not be revoked.
  static func missing(_ profile: Profile) -> String {
    let place =
      profile.type == .custom ? "the profile has no [requests.revoke]" : "the server has no revocation endpoint"
    return "\(place): the tokens stay valid at the server until they expire"
  }
}

/// The command line of `logout`.
struct LogoutArguments: Sendable {
  /// The profiles to log out of.
  let profiles: ProfileSelection
  /// Whether nothing is sent to the server.
  let isLocal: Bool

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    profiles = try ProfileSelection(invocation, all: LogoutOptions.all)
    isLocal = invocation.has(LogoutOptions.localOnly)
  }
}
