import AuthCore

extension Command {
  static let logout = Command(
    name: "logout", summary: "revoke and delete the tokens",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    description: """
      Revokes the tokens at the server (RFC 7009), then deletes all secrets of the profile from the keyring, whatever \
      the server's response is. The profile's file remains.

      If the server could not be reached or refused, the tokens are deleted here but may still be valid at the server; \
      a message says so, and the exit status is 5 or 6.
      """,
    options: [LogoutOptions.all, LogoutOptions.localOnly, .json],
    examples: [
      Example("authctl logout work", "Ends one session."), Example("authctl logout --all", "Ends all sessions."),
      Example("authctl logout work --local-only", "Deletes the tokens without a request to the server."),
    ])
}

extension RunnableCommand {
  static let logout = RunnableCommand(.logout) { invocation, context in
    let names = try ProfileChoice(context).profiles(invocation, all: invocation.has(LogoutOptions.all))
    return try await EachProfile(invocation, context).run(names) { session throws(AuthError) in
      let isLocal = invocation.has(LogoutOptions.localOnly)
      switch try await session.logOut(localOnly: isLocal) {
      case .nothingStored: return ("nobody_logged_in", "was not logged in")
      case .done(revoked: true): return ("logged_out", "logged out, tokens revoked")
      case .done:
        let why =
          isLocal
          ? "not revoked at the server" : LogoutOptions.missing(session.profile)
        return ("logged_out_locally", "logged out here; \(why)")
      case .notRevoked(let error):
        if !invocation.has(.quiet) { context.console.note("\(session.profile.name): logged out here") }
        throw error
      }
    }
  }
}

/// The options of `logout`.
enum LogoutOptions {
  static let all = Option("all", summary: "log out of every profile")
  static let localOnly = Option("local-only", summary: "delete the tokens without revoking them")

  /// Why the tokens could not be revoked.
  static func missing(_ profile: Profile) -> String {
    let place =
      profile.type == .custom ? "the profile has no [requests.revoke]" : "the server has no revocation endpoint"
    return "\(place): the tokens stay valid at the server until they expire"
  }
}
