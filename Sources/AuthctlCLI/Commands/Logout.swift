import AuthCore

extension Command {
  static let logout = Command(
    name: "logout", summary: "revoke and delete the tokens",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    description: """
      Revokes the tokens at the server (RFC 7009), then deletes all secrets of the profile from the keyring or its \
      session file, regardless of the server's response. The profile's file remains.

      If the store can't be written, nothing is revoked or deleted, and the exit status is 4.

      If the server could not be reached or refused, the tokens are deleted here but may still be valid at the server; \
      a message says so, and the exit status is 5 or 6. For a profile with `store = "none"` there is nothing to \
      delete; that is not an error.
      """,
    options: [LogoutOptions.all, LogoutOptions.localOnly, .json] + Option.allTrace,
    examples: [
      Example("authctl logout work", "Ends one session."), Example("authctl logout --all", "Ends all sessions."),
      Example("authctl logout work --local-only", "Deletes the tokens without a request to the server."),
    ])
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
