import AuthCore

extension Command {
  static let status = Command(
    name: "status", summary: "say who is logged in where, and until when",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    description: """
      Looks into the keyring only: no server is asked and nothing is renewed. Without a name, all profiles are shown. \
      A token is never printed.

      The exit status is 0 whatever the sessions' states are, unless `--require` is given or the keyring can't be read.

      Where a renewal could not be stored since the keyring refused, the tokens are in the kernel's memory: `store` \
      says so until a command has put them back.
      """,
    options: [StatusOptions.require, .json],
    examples: [
      Example("authctl status", "Shows every profile."),
      Example("authctl status work --require 5m --quiet || authctl login work", "Logs in only where it is needed."),
      Example("authctl status --json | jq -r '.[] | select(.state != \"valid\").profile'", "Lists what is not valid."),
    ],
    sections: [
      Section(
        "STATES",
        """
        - `valid`: the access token is good.
        - `renewable`: the access token has expired, but the next call renews it.
        - `login_required`: the refresh token is missing, expired or refused; or the API has refused the access token \
          after that; or issuer, client or token endpoint of the profile have changed since the login.
        - `logged_out`: no tokens are stored.
        - `unknown`: there is a token, but nobody said how long it is good, and it can't be renewed; or a password.
        - `unavailable`: the keyring can't be read; the exit status is 4.
        """),
      Section(
        "CHANGED PROFILES",
        """
        A session belongs to the issuer, the client and the origin of the token endpoint from which it came. If the \
        profile names others by now, the state is `login_required`, and no command uses or sends the tokens; a logout \
        revokes them at the former server. A scope that the profile asks for and the session was not granted is only \
        reported. `outdated` lists the keys: `issuer`, `client_id`, `token_endpoint`, `scope`.
        """),
      Section(
        "RENEWAL",
        """
        A renewal that has begun and not ended is shown: `under_way`, or `cut_short` where nobody is at it any more, \
        after a kill or a loss of power. The next renewal then tries the old refresh token.
        """),
      Section(
        "CLOCK",
        """
        Where the local clock is off by more than a minute, a line `clock` says so, and `clock_offset` has the seconds \
        by which the server's clock is ahead. Expiry is counted by the server's clock then, also when the local one was \
        set back since. One that may have been set forward is in doubt until the next renewal, and the access token \
        counts as expired.
        """),
    ],
    run: { invocation, context in
      let settings = Settings(invocation, context)
      let required = try StatusOptions.required(invocation)
      let isNamed = !invocation.operands.isEmpty || invocation.has(.profile)
      let names = try ProfileChoice(context).profiles(invocation, all: !isNamed)
      var statuses: [ProfileStatus] = []
      var failures: [ExitStatus] = []
      for name in names {
        do throws(AuthError) {
          let session = context.session(try ProfileChoice(context).profile(named: name), settings)
          let (status, refusal) = try await StatusOptions.status(of: session, context)
          statuses.append(status)
          guard let refusal else { continue }
          guard status.state != .unavailable else {
            failures.append(ErrorReport(refusal).report(settings, context, profile: name.string))
            continue
          }
          let explanation = refusal.explanation
          if !settings.quiet { context.console.note("authctl: warning: \(explanation.what): \(explanation.why)") }
          if required != nil { failures.append(.keyring) }
        } catch {
          // One that can't be read keeps nobody from seeing the others.
          guard names.count > 1 else { throw error }
          failures.append(ErrorReport(error).report(settings, context, profile: name.string))
        }
      }
      guard !statuses.isEmpty || failures.isEmpty else { return failures.worst }
      if invocation.wantsJSON {
        try context.console.write(try JSONValue.array(statuses.map(\.json)).text() + "\n")
      } else {
        let text = statuses.map { $0.text(colour: settings.colour.output) }.joined()
        try context.console.write(context.program.named(hint: text))
        if statuses.isEmpty, !settings.quiet {
          context.console.note("authctl: no profile has been made yet: authctl login NAME …")
        }
      }
      let known = statuses.filter { $0.state != .unavailable }
      guard let required, statuses.isEmpty || !known.allSatisfy({ $0.satisfies(required) }) else {
        return failures.worst
      }
      return (failures + [.loginRequired]).worst
    })
}

/// The options of `status`.
enum StatusOptions {
  static let require = Option(
    "require", .duration("DURATION"), summary: "exit 3 unless a token is good for so long",
    detail: "One that can be renewed counts as good. With several profiles, each must have one.")

  /// The status of a session, and why what is told of it could not be stored.
  static func status(of session: ProfileSession, _ context: Context) async throws(AuthError)
    -> (ProfileStatus, AuthError?)
  {
    do throws(AuthError) {
      let pair = try await session.stored()
      let renewal = try await session.renewalState(of: pair)
      return (ProfileStatus(session, pair, renewal: renewal, at: context.now()), nil)
    } catch {
      guard case .storage = error else { throw error }
      guard let pair = try session.unstored() else {
        return (ProfileStatus(unavailable: session.profile, at: context.now()), error)
      }
      return (ProfileStatus(session, pair, renewal: nil, isUnstored: true, at: context.now()), error)
    }
  }

  static func required(_ invocation: Invocation) throws(AuthError) -> Duration? {
    try invocation.duration(require)
  }
}
