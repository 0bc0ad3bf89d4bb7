import AuthCore

extension Command {
  static let status = Command(
    name: "status", summary: "show who is logged in where, and until when",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    description: """
      Shows all profiles, or those that are named. It reads the keyring only: nothing is sent or refreshed, and no \
      token is printed.

      On a terminal, all profiles are shown as a table: the state, the user, the time left of the access token, \
      whether it is refreshed (`automatic`, or the time left of the refresh token), and the first API. Below it is the \
      command for each profile that needs a login, now or when its token expires. With the name of a profile, and in a \
      pipe, each profile has several lines.

      The exit status is 0 whatever the states are, unless `--require` is given or the keyring can't be read.

      If the keyring refused to store refreshed tokens, they are in the kernel's memory. `store` says so until a later \
      command has stored them.
      """,
    options: [StatusOptions.require, .json],
    examples: [
      Example("authctl status", "Shows every profile."),
      Example("authctl status work --require 5m --quiet || authctl login work", "Logs in only if needed."),
      Example(
        "authctl status --json | jq -r '.[] | select(.state != \"valid\").profile'",
        "Lists the profiles whose token is not valid."),
    ],
    sections: [
      Section(
        "STATES",
        """
        - `valid`: the access token is valid.
        - `renewable`: the access token has expired; the next call refreshes it.
        - `login_required`: the refresh token is missing, expired or refused; or the API has refused the access token \
          and it can't be refreshed; or the profile's issuer, client or token endpoint has changed since the login.
        - `logged_out`: no tokens are stored.
        - `unknown`: the profile has a password, or a token of unknown expiry that can't be refreshed.
        - `unavailable`: the keyring can't be read; the exit status is 4.
        """),
      Section(
        "CHANGED PROFILES",
        """
        A session belongs to the issuer, client and origin of the token endpoint that it came from. If the profile has \
        changed to others, the state is `login_required` and no command sends the tokens; `logout` revokes them at the \
        old server. A scope that the profile requests and the server did not grant is only reported. `outdated` lists \
        the keys that differ: `issuer`, `client_id`, `token_endpoint`, `scope`.
        """),
      Section(
        "REFRESH",
        """
        A refresh that has begun and not ended is shown as `under_way`, or as `cut_short` if its process was killed or \
        the power failed. The next refresh then tries the old refresh token.
        """),
      Section(
        "CLOCK",
        """
        If the local clock is off by more than a minute, a line `clock` says so, and `clock_offset` is the number of \
        seconds that the server's clock is ahead. Expiry is then calculated by the server's clock, also after the \
        local clock was set back. If the local clock may have been set forward, the access token counts as expired \
        until the next refresh.
        """),
    ])
}

extension RunnableCommand {
  static let status = RunnableCommand(.status, StatusArguments.init) { arguments, context in
    let required = arguments.required
    let names = try ProfileChoice(context).profiles(arguments.profiles)
    var statuses: [ProfileStatus] = []
    var failures: [ExitStatus] = []
    for name in names {
      do throws(AuthError) {
        let profile = try ProfileChoice(context).profile(named: name)
        let (status, refusal) = try await StatusOptions.status(
          of: profile, context.session(profile), context)
        statuses.append(status)
        guard let refusal else { continue }
        guard status.state != .unavailable else {
          failures.append(ErrorReport(refusal).report(context, profile: name.string))
          continue
        }
        let explanation = refusal.explanation
        if !context.verbosity.quiet {
          context.console.note("authctl: warning: \(explanation.what): \(explanation.why)")
        }
        if required != nil { failures.append(.keyring) }
      } catch {
        // A profile that can't be read must not hide the others.
        guard names.count > 1 else { throw error }
        failures.append(ErrorReport(error).report(context, profile: name.string))
      }
    }
    guard !statuses.isEmpty || failures.isEmpty else { return failures.worst }
    if context.verbosity.printsJSON {
      try context.console.write(try JSONValue.array(statuses.map(\.json)).text() + "\n")
    } else {
      let text = StatusOptions.text(statuses, arguments, context)
      try context.console.write(context.program.named(hint: text))
      if statuses.isEmpty, !context.verbosity.quiet {
        context.console.note(
          "authctl: no profile configured yet; run: authctl login URL")
      }
    }
    let known = statuses.filter { $0.state != .unavailable }
    guard let required, statuses.isEmpty || !known.allSatisfy({ $0.satisfies(required) }) else {
      return failures.worst
    }
    return (failures + [.loginRequired]).worst
  }
}

/// The options of `status`.
enum StatusOptions {
  static let require = Option(
    "require", .duration("DURATION"), summary: "exit 3 unless a token is valid for at least DURATION",
    detail: "A token that can be refreshed counts as valid. With several profiles, each must have one.")

  /// Returns the output for people: a table on a terminal if no profile is named, otherwise a few lines for each.
  static func text(_ statuses: [ProfileStatus], _ arguments: StatusArguments, _ context: Context) -> String {
    let (isTerminal, colour) = (context.console.terminals.output, context.verbosity.colour.output)
    guard isTerminal, arguments.profiles.isAll, !statuses.isEmpty else {
      let local = isTerminal ? LocalTime(now: context.now(), offset: context.utcOffset) : nil
      return statuses.map { $0.text(colour: colour, local: local) }.joined()
    }
    return StatusTable(
      rows: statuses.map(\.row), width: context.console.columns, colour: colour, hasUnicode: context.hasUnicode
    ).text
  }

  /// Returns the status of a session, and the storage error if the keyring is unavailable or its tokens are unsaved.
  static func status(
    of profile: Profile, _ session: TokenSession, _ context: Context
  ) async throws(AuthError) -> (ProfileStatus, AuthError?) {
    do throws(AuthError) {
      let pair = try await session.stored()
      let refresh = try await session.refreshState(of: pair)
      return (ProfileStatus(profile, session, pair, refresh: refresh, at: context.now()), nil)
    } catch {
      guard case .storage = error else { throw error }
      guard let pair = try session.unstored() else {
        return (ProfileStatus(unavailable: profile, at: context.now()), error)
      }
      return (ProfileStatus(profile, session, pair, refresh: nil, isUnstored: true, at: context.now()), error)
    }
  }
}

/// The command line of `status`.
struct StatusArguments: Sendable {
  /// The profiles to show; all if none is named.
  let profiles: ProfileSelection
  /// The validity that each must have; nil if there is none.
  let required: Duration?

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    let named = try ProfileSelection(invocation)
    profiles = named.name == nil ? .all : named
    required = invocation.duration(StatusOptions.require)
  }
}
