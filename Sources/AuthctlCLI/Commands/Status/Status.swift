import AuthCore

extension Command {
  static let status = Command(
    name: "status", summary: "show who is logged in where, and until when",
    operands: [Operand("PROFILE", optional: true, repeats: true, completion: .profile)],
    manual: Manual(PackageResources.status_md), options: [StatusOptions.require, StatusOptions.watch, .json],
    limit: .seconds(60))
}

extension RunnableCommand {
  static let status = RunnableCommand(.status, StatusArguments.init) { arguments, context in
    guard !arguments.watches else {
      context.relauncher?.endAfter(.zero)
      return try await StatusOptions.watch(arguments.profiles, context)
    }
    let required = arguments.required
    let names = try ProfileChoice(context).profiles(arguments.profiles)
    let proxies = RunningProxy.all(context)
    var statuses: [ProfileStatus] = []
    var failures: [ExitStatus] = []
    var storage = StorageFailures()
    for name in names {
      do throws(AuthError) {
        let profile = try ProfileChoice(context).profile(named: name)
        var (status, refusal) = try await StatusOptions.status(
          of: profile, context.session(profile), context)
        status.proxies = proxies.filter { $0.profiles.contains(name.string) }
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
    "require", .duration("DURATION"), summary: "exit 3 unless a token is valid for at least DURATION")

  static let watch = Option("watch", summary: "keep running and report each login, refresh, failure and logout")

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
      rows: statuses.map(\.tableRow), width: context.console.columns, colour: colour, hasUnicode: context.hasUnicode
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
