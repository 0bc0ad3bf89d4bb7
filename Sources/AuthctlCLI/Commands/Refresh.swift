import AuthCore

extension Command {
  static let refresh = Command(
    name: "refresh", summary: "renew the tokens now",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    description: """
      Renews the access token, and with it, where the server rotates them, the refresh token. Several processes that \
      do so at once cause one renewal.

      Made for cron: it never prompts, finds the user's bus by itself, and ends within bounded time. Status 3 means \
      that a person must log in, 5 that the next run may well succeed. A profile of type `basic` has a password and \
      nothing to renew, which is no failure.
      """,
    options: [RefreshOptions.all, RefreshOptions.minValidity, RefreshOptions.jitter, .json],
    examples: [
      Example("authctl refresh --all --min-validity 15m --quiet", "For cron, every ten minutes."),
      Example("authctl refresh work", "Renews one profile's token now."),
    ],
    run: { invocation, context in
      let names = try ProfileChoice(context).profiles(invocation, all: invocation.has(RefreshOptions.all))
      guard !names.isEmpty else { throw ProfileChoice.none }
      let minValidity = try invocation.duration(RefreshOptions.minValidity)
      if let jitter = try invocation.duration(RefreshOptions.jitter) {
        try await ContinuousClock().sleep(for: .milliseconds(Int64.random(in: 0...Int64(jitter.seconds * 1000))))
      }
      let isNamed = !invocation.has(RefreshOptions.all)
      return try await EachProfile(invocation, context).run(names) { session throws(AuthError) in
        // What was logged out on purpose is no failure of a job that refreshes all there is.
        if !isNamed, try await session.stored() == nil { return ("logged_out", "skipped: logged out") }
        // Cron renews all there is; a password among the tokens is no failure.
        if session.profile.type == .basic, try await session.stored() != nil {
          return ("nothing_to_renew", "nothing to renew: it has a password")
        }
        if let minValidity, let pair = try await session.stored(), let left = pair.remaining(at: context.now()),
          left >= minValidity.seconds
        {
          try session.validate(pair)
          return ("still_valid", "still valid for \(DurationText.describe(left))")
        }
        let pair = try await session.manager.renew()
        let left = pair.remaining(at: context.now()).map { ", valid for \(DurationText.describe($0))" } ?? ""
        return ("renewed", "renewed\(left)")
      }
    })
}

/// The options of `refresh`.
enum RefreshOptions {
  static let all = Option(
    "all", summary: "renew every profile", detail: "Profiles that are logged out are left out, with a note.")
  static let minValidity = Option(
    "min-validity", .duration("DURATION"), summary: "only where less than so much is left",
    detail: "A token of which nobody said how long it lives is renewed.")
  static let jitter = Option(
    "jitter", .duration("DURATION"), summary: "wait a random time first",
    detail: "Up to so long: for fleets of machines whose cron jobs would all ask the server in the same second.")
}
