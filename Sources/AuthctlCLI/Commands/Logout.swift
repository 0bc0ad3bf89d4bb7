import AuthCore

extension Command {
  static let logout = Command(
    name: "logout", summary: "revoke the tokens and forget them",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    description: """
      Revokes the tokens at the server (RFC 7009), then removes all secrets of the profile from the keyring, whatever \
      the server said. The profile's file stays.

      Where the server could not be asked or refused, the tokens are gone from here all the same; a message says that \
      they may still be good at the server, and the status is 5 or 6.
      """,
    options: [LogoutOptions.all, LogoutOptions.localOnly, .json],
    examples: [
      Example("authctl logout work", "Ends one session."), Example("authctl logout --all", "Ends them all."),
    ],
    run: { invocation, context in
      let names = try ProfileChoice(context).profiles(invocation, all: invocation.has(LogoutOptions.all))
      return try await EachProfile(invocation, context).run(names) { session throws(AuthError) in
        let isLocal = invocation.has(LogoutOptions.localOnly)
        switch try await session.end(localOnly: isLocal) {
        case .nothingStored: return ("nobody_logged_in", "nobody was logged in")
        case .done(revoked: true): return ("logged_out", "logged out, tokens revoked")
        case .done:
          let why =
            isLocal
            ? "the server was not asked to revoke the tokens" : LogoutOptions.missing(session.profile)
          return ("logged_out_locally", "logged out here; \(why)")
        case .notRevoked(let error):
          if !invocation.has(.quiet) { context.console.note("\(session.profile.name): logged out here") }
          throw error
        }
      }
    })
}

/// The options of `logout`.
enum LogoutOptions {
  static let all = Option("all", summary: "log out of every profile")
  static let localOnly = Option("local-only", summary: "don't ask the server")

  /// Why no server could be asked to revoke the tokens.
  static func missing(_ profile: Profile) -> String {
    let place = profile.type == .custom ? "[requests.revoke] is not in the profile" : "no revocation endpoint is known"
    return "\(place): the tokens stay valid at the server until they expire"
  }
}
