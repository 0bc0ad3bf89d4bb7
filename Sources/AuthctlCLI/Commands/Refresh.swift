import AuthCore

extension Command {
  static let refresh = Command(
    name: "refresh", summary: "refresh the tokens now",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    description: """
      Refreshes the access token, and the refresh token if the server rotates it. Several processes that do so at the \
      same time cause one refresh.

      It is made for cron: it never prompts, finds the D-Bus session bus by itself, and ends within a deadline. For \
      a profile of type `basic` there is nothing to refresh; that is not an error. For a profile with `store = "none"` \
      a token is requested and not stored, which checks the settings; `--all` skips it.
      """,
    options: [RefreshOptions.all, RefreshOptions.minValidity, RefreshOptions.jitter, .json] + Option.allTrace,
    examples: [
      Example("authctl refresh work", "Refreshes the tokens of one profile."),
      Example("authctl refresh --all --min-validity 15m --quiet", "For cron, every ten minutes."),
      Example("authctl refresh --all --jitter 2m --quiet", "Spreads the load of a fleet of machines."),
    ],
    sections: [
      Section(
        "CRON",
        """
        This line in crontab(5) keeps all sessions alive:

            */10 * * * * /usr/local/bin/authctl refresh --all --min-validity 15m --quiet

        cron does not set `DBUS_SESSION_BUS_ADDRESS`; `authctl` uses the bus at `$XDG_RUNTIME_DIR/bus` or \
        `/run/user/UID/bus`. With `--quiet`, only errors are printed, and cron mails them:

        - `3`: the session has ended. Run `authctl login NAME`. The profile's `[on]` `login_required` can notify you, \
          once, when it happens.
        - `4`: the keyring is locked or not running. Unlock it (without a desktop: `authctl keyring unlock`); \
          nothing was sent or lost.
        - `5`: the network or the server failed, after a few retries. Do nothing: the tokens are kept, and the next \
          run tries again.

        With several profiles, the exit status is the worst of them, in the order 1, 2, 3, 4, 7, 6, 5. A profile \
        without a refresh token, as after `login --flow token` with a bare access token, can't be refreshed and gives \
        3: name the profiles to refresh instead of using `--all`.
        """),
      Section(
        "JSON",
        """
        `--json` prints an array with an object for each profile, also for those that failed, whose errors are on \
        standard error, too:

            [{"outcome": "refreshed", "profile": "work"},
             {"error": {"code": "try_later", "exit": 5, …},
              "outcome": "failed", "profile": "ci"}]

        `outcome` is `refreshed`, `still_valid`, `nothing_to_refresh` for a password or with `--all` for \
        `store = "none"`, `nothing_stored` for a named profile with `store = "none"`, `logged_out` for a profile that \
        `--all` skips, or `failed`.
        """),
    ])
}

extension RunnableCommand {
  static let refresh = RunnableCommand(.refresh, RefreshArguments.init) { arguments, context in
    let names = try ProfileChoice(context).profiles(arguments.profiles)
    guard !names.isEmpty else { throw ProfileChoice.none() }
    if let jitter = arguments.jitter {
      try await ContinuousClock().sleep(for: .milliseconds(Int64.random(in: 0...Int64(jitter.seconds * 1000))))
    }
    return try await EachProfile(context, isReport: true).run(names) { profile, session throws(AuthError) in
      if profile.isOnDemand { return try await RefreshOptions.checked(profile, session, arguments, context) }
      // A profile that was logged out on purpose is not a failure of `--all`.
      if arguments.profiles.isAll, try await session.stored() == nil { return ("logged_out", "skipped: logged out") }
      // A profile with a password is not a failure of `--all`.
      if profile.type == .basic, try await session.stored() != nil {
        return ("nothing_to_refresh", "nothing to refresh: the profile has a password")
      }
      if let minValidity = arguments.minValidity, let pair = try await session.stored(),
        let left = pair.remaining(at: context.now()),
        left >= minValidity.seconds
      {
        try session.validate(pair)
        return ("still_valid", "still valid for \(DurationText.describe(left))")
      }
      let pair = try await session.refresh()
      let left = pair.remaining(at: context.now()).map { ", valid for \(DurationText.describe($0))" } ?? ""
      return ("refreshed", "refreshed\(left)")
    }
  }
}

/// The options of `refresh`.
enum RefreshOptions {
  static let all = Option(
    "all", summary: "refresh every profile", detail: "Profiles that are logged out are skipped, with a note.")
  static let minValidity = Option(
    "min-validity", .duration("DURATION"), summary: "refresh only if less than this validity remains",
    detail: "A token of unknown expiry is refreshed.")
  /// Requests a token of a profile that stores none, to see if that works.
  ///
  /// - Throws: ``AuthError``, as a refresh.
  static func checked(
    _ profile: Profile, _ session: TokenSession, _ arguments: RefreshArguments, _ context: Context
  ) async throws(AuthError) -> EachProfile.Outcome {
    guard !arguments.profiles.isAll else {
      return ("nothing_to_refresh", "skipped: nothing is stored, each command requests its own token")
    }
    try await session.invalidateCache()
    let left = try await session.refresh().remaining(at: context.now())
    let validity = left.map { ", valid for \(DurationText.describe($0))" } ?? ""
    return ("nothing_stored", "the server issues a token\(validity); nothing is stored")
  }

  static let jitter = Option(
    "jitter", .duration("DURATION"), summary: "wait a random time first",
    detail: "At most this long. Use it if cron jobs of many machines would call the server in the same second.")
}

/// The command line of `refresh`.
struct RefreshArguments: Sendable {
  /// The profiles to refresh.
  let profiles: ProfileSelection
  /// The validity that makes a refresh unnecessary; nil if there is none.
  let minValidity: Duration?
  /// The longest time to wait before the refresh; nil for no wait.
  let jitter: Duration?

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    profiles = try ProfileSelection(invocation, all: RefreshOptions.all)
    minValidity = invocation.duration(RefreshOptions.minValidity)
    jitter = invocation.duration(RefreshOptions.jitter)
  }
}
