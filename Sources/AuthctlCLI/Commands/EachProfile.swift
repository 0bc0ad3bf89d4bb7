import AuthCore

/// Runs the same action for several profiles, a few concurrently, and returns the worst status.
struct EachProfile: Sendable {
  /// A word for scripts and a sentence for the user.
  typealias Outcome = (word: String, sentence: String)
  /// The action for each profile.
  typealias Action = @Sendable (Profile, TokenSession) async throws(AuthError) -> Outcome

  private let context: Context
  /// Whether `--json` prints the results also if an action has failed.
  private let isReport: Bool

  /// The number of concurrent actions: the slow server of one profile delays no other.
  private static let most = 8

  init(_ context: Context, isReport: Bool = false) {
    self.context = context
    self.isReport = isReport
  }

  /// - Parameter action: the action for each profile; an error for one profile does not affect the others.
  func run(_ names: [ProfileName], _ action: @escaping Action) async throws -> ExitStatus {
    var statuses: [ExitStatus] = []
    var results: [JSONValue] = []
    var storage = StorageFailures()
    await forEach(names, action) { name, end in
      switch end {
      case .success(let outcome):
        results.append(.object(["profile": .string(name.string), "outcome": .string(outcome.word)]))
        if !context.verbosity.quiet, !context.verbosity.printsJSON {
          context.console.show("\(name): \(outcome.sentence)", as: .success)
        }
      case .failure(let error):
        results.append(EachProfile.row(name, error, context))
        if !storage.add(error, of: name) {
          statuses.append(ErrorReport(error).report(context, profile: name.string))
        }
      }
    }
    statuses += storage.report(context)
    if names.isEmpty, !context.verbosity.quiet { context.console.note("authctl: no profiles") }
    if context.verbosity.printsJSON, isReport || statuses.isEmpty {
      try context.console.write(try JSONValue.array(results).text() + "\n")
    }
    return statuses.worst
  }

  /// Returns the result of an action that has failed.
  private static func row(_ name: ProfileName, _ error: AuthError, _ context: Context) -> JSONValue {
    let report = ErrorReport(error).about(name.string, context).named(context.program)
    return .object(["profile": .string(name.string), "outcome": .string("failed"), "error": report.object])
  }

  private typealias End = Result<Outcome, AuthError>

  /// Reports the result for each profile, in the order of the names, as soon as the previous ones are reported.
  private func forEach(
    _ names: [ProfileName], _ action: @escaping Action, report: (ProfileName, End) -> Void
  ) async {
    await withTaskGroup(of: (index: Int, end: End).self) { group in
      // The steps that -v logs or --trace records do not name their profile, so the profiles run one after the other.
      let isWatched = context.verbosity.verbose || context.trace.recorder != nil
      let first = names.prefix(isWatched ? 1 : EachProfile.most)
      for (index, name) in first.enumerated() { group.addTask { (index, await end(of: action, name)) } }
      var next = first.count
      var ended: [Int: End] = [:]
      var reported = 0
      for await (index, end) in group {
        if next < names.count {
          group.addTask { [next] in (next, await self.end(of: action, names[next])) }
          next += 1
        }
        ended[index] = end
        while let due = ended.removeValue(forKey: reported) {
          report(names[reported], due)
          reported += 1
        }
      }
    }
  }

  private func end(of action: Action, _ name: ProfileName) async -> End {
    do throws(AuthError) {
      return .success(try await outcome(of: action, name))
    } catch {
      return .failure(error)
    }
  }

  private func outcome(
    of action: Action, _ name: ProfileName
  ) async throws(AuthError) -> Outcome {
    let profile = try ProfileChoice(context).profile(named: name)
    return try await action(profile, context.session(profile))
  }
}
