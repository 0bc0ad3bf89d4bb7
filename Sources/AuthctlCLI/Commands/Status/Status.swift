import AuthCore

extension Command {
  static let status = Command(
    name: "status", summary: "show who is logged in where, and until when",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    description: """
      Shows all profiles, or those that are named. Only the keyring or the session files are read: nothing \
      is sent or refreshed, and no token is printed.

      On a terminal, all profiles are shown as a table: the state, the user, the time left of the access token, \
      whether it is refreshed (`automatic`, or the time left of the refresh token), and the first API. Below it is the \
      command for each profile that needs a login, now or when its token expires. With the name of a profile, and in a \
      pipe, each profile has several lines.

      The exit status is 0 in every state, unless `--require` is given or a store can't be read.

      `store` is `keyring`, `file` or `none`, as in the profile. If it refused to store refreshed tokens, they are \
      kept in the kernel's memory, or beside the session file; `rescued` is true until a later command has stored them.
      """,
    options: [StatusOptions.require, StatusOptions.watch, .json],
    examples: [
      Example("authctl status", "Shows every profile."),
      Example("authctl status work --require 5m --quiet || authctl login work", "Logs in only if needed."),
      Example(
        "authctl status --json | jq -r '.[] | select(.state != \"valid\").profile'",
        "Lists the profiles whose token is not valid."),
      Example(
        "authctl status --watch | jq -c 'select(.event == \"login_required\")'",
        "Prints a line whenever a person must log in."),
    ],
    sections: [
      Section(
        "STATES",
        """
        - `valid`: the access token is valid.
        - `refreshable`: the access token has expired; the next call refreshes it.
        - `login_required`: the refresh token is missing, expired or refused; or the API has refused the access token \
          and it can't be refreshed; or the profile's issuer, client or token endpoint has changed since the login.
        - `logged_out`: no tokens are stored.
        - `unknown`: the profile has a password, or a token of unknown expiry that can't be refreshed.
        - `on_demand`: the profile has `store = "none"`: nothing is stored, and each command requests its own token. \
          `--require` counts it as valid; nothing is sent to check that.
        - `unavailable`: the store can't be read; the exit status is 4.
        """),
      Section(
        "WATCH",
        """
        `--watch` waits for the change signals of the keyring, for changes of the session files and the profiles' \
        files, and for the failures that are recorded in the lock files; it does not poll. On a terminal, it wakes as \
        often as a shown time changes: each second while it shows a time of less than an hour. Below the table is the \
        last event.

        In a pipe, the first line of each profile has the event `state`. Then each event is one line:

            {"event":"refreshed","expires_at":"2026-01-02T03:14:05Z","pid":1234,"profile":"work",
             "state":"valid","time":"2026-01-02T03:04:05Z"}

        (wrapped here). No line contains a token. The events:

        - `state`: the state at the start; also when a profile is added or its file is edited, when the profile's file \
          or its tokens can't be read, and when they can be read again. If it can't be read, `state` is \
          `unavailable`, and `error` is the object that `--errors json` prints. The profiles of a keyring that was \
          locked are read again with the first change in it.
        - `logged_in`: a login has stored a session.
        - `refreshed`: the tokens were refreshed.
        - `refresh_failed`: a refresh failed and may succeed later; `code` is the name of its exit status, `message` \
          the reason.
        - `login_required`: the server has refused the refresh token. `state` is `valid` as long as the access token \
          can still be used.
        - `logged_out`: the tokens were removed.
        - `removed`: the profile's file was removed; `state` is null.

        `pid` is the process that caused the change: the command, not its background refresh. It is absent if it is \
        unknown, as with `logged_out`. If changes follow each other faster than they can be read, the last one is \
        reported, and `skipped` is the number of the others. They are counted with the tokens; in the keyring, \
        the item's public attribute `change` is the number of the last one.

        Without names, profiles that are added later are watched, too. A new password of a profile of type `basic` is \
        not reported. If the keyring restarts, the sessions are read again.

        It ends with 0 when the pipe is closed, with 4 when the D-Bus connection is lost, and with 130 on Ctrl-C. The \
        exit status is 2 if there is no profile at the start, and 4 if a profile needs a keyring and there is none.
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
        seconds that the server's clock is ahead. Expiry is then calculated by the server's clock, even after the \
        local clock was set back. If the local clock may have been set forward, the access token counts as expired \
        until the next refresh.
        """),
    ], limit: .seconds(60))
}

extension RunnableCommand {
  static let status = RunnableCommand(.status, StatusArguments.init) { arguments, context in
    guard !arguments.watches else {
      context.relauncher?.endAfter(.zero)
      return try await StatusOptions.watch(arguments.profiles, context)
    }
    let required = arguments.required
    let names = try ProfileChoice(context).profiles(arguments.profiles)
    var statuses: [ProfileStatus] = []
    var failures: [ExitStatus] = []
    var storage = StorageFailures()
    for name in names {
      do throws(AuthError) {
        let profile = try ProfileChoice(context).profile(named: name)
        let (status, refusal) = try await StatusOptions.status(
          of: profile, context.session(profile), context)
        statuses.append(status)
        guard let refusal else { continue }
        guard status.state != .unavailable else {
          _ = storage.add(refusal, of: name)
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
        if !storage.add(error, of: name) {
          failures.append(ErrorReport(error).report(context, profile: name.string))
        }
      }
    }
    // The reader may take its time.
    context.relauncher?.endAfter(.zero)
    failures += storage.report(context)
    guard !statuses.isEmpty || failures.isEmpty else { return failures.worst }
    if required != nil, context.verbosity.quiet {
      // The exit status is the answer.
    } else if context.verbosity.printsJSON {
      try context.console.write(try JSONValue.array(statuses.map(\.json)).text() + "\n")
    } else {
      let text = StatusOptions.text(statuses, arguments, context)
      try context.console.write(context.program.named(hint: text))
      if statuses.isEmpty { ProfileChoice(context).noteNone() }
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
    detail: """
      A token that can be refreshed counts as valid. With several profiles, each must have one. With `--quiet`, \
      nothing is printed.
      """)

  static let watch = Option(
    "watch", summary: "keep running and report each login, refresh, failure and logout",
    detail: """
      On a terminal the table is redrawn in place. In a pipe, or with `--json`, each event is one JSON object on one \
      line: see WATCH. It can't be used with `--require`.
      """)

  /// Runs `status --watch`.
  ///
  /// - Throws: ``AuthError`` if there is nothing to watch, or the keyring can't be watched.
  static func watch(_ profiles: ProfileSelection, _ context: Context) async throws -> ExitStatus {
    let names = try ProfileChoice(context).profiles(profiles)
    // A profile that can't be read may have a store.
    let isWatchable = names.contains { (try? ProfileChoice(context).profile(named: $0))?.isOnDemand != true }
    guard isWatchable || names.isEmpty else {
      let all = names.map(\.string).joined(separator: ", ")
      throw AuthError.usage(
        "status --watch", why: "nothing is stored for \(all) (store = \"none\"), so nothing changes",
        hint: "watch a profile with a store")
    }
    let isTable = context.console.terminals.output && !context.verbosity.printsJSON
    return try await StatusWatch(named: profiles.isAll ? nil : names, context: context, isTable: isTable).run()
  }

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

  /// Returns the status of a session, and the storage error if the store is unavailable or its tokens are unsaved.
  static func status(
    of profile: Profile, _ session: TokenSession, _ context: Context
  ) async throws(AuthError) -> (ProfileStatus, AuthError?) {
    do throws(AuthError) {
      let pair = try await session.stored()
      let refresh = try await session.refreshState(of: pair)
      let place = try session.rescuePlace()
      // A session of its own process leaves nothing beside the lock.
      let failure = pair == nil ? nil : RecentFailure(in: context.lockFile(profile.name))
      return (
        ProfileStatus(profile, session, pair, refresh: refresh, failure: failure, rescue: place, at: context.now()), nil
      )
    } catch {
      guard case .storage = error else { throw error }
      guard let pair = try session.unstored() else {
        return (ProfileStatus(unavailable: profile, at: context.now()), error)
      }
      let place = try session.rescuePlace()
      return (ProfileStatus(profile, session, pair, refresh: nil, rescue: place, at: context.now()), error)
    }
  }
}

/// The command line of `status`.
struct StatusArguments: Sendable {
  /// The profiles to show; all if none is named.
  let profiles: ProfileSelection
  /// The validity that each must have; nil if there is none.
  let required: Duration?
  /// Whether changes are reported until the reader is gone.
  let watches: Bool

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    let named = try ProfileSelection(invocation)
    profiles = named.name == nil ? .all : named
    required = invocation.duration(StatusOptions.require)
    watches = invocation.has(StatusOptions.watch)
    guard !watches || required == nil else {
      throw .usage(
        "--watch", why: "--require checks once and exits, --watch does not end by itself",
        hint: "remove one of them")
    }
  }
}
