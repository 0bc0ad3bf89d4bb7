import AuthCore

/// Does the same with each of several profiles, one after the other, and ends as the worst of them.
struct EachProfile: Sendable {
  /// A word for scripts and a sentence for people.
  typealias Outcome = (word: String, sentence: String)

  private let invocation: Invocation
  private let context: Context
  private let settings: Settings

  init(_ invocation: Invocation, _ context: Context) {
    self.invocation = invocation
    self.context = context
    settings = Settings(invocation, context)
  }

  /// - Parameter action: what to do; an error of one profile does not keep the others from their turn.
  func run(
    _ names: [ProfileName], _ action: (ProfileSession) async throws(AuthError) -> Outcome
  ) async throws -> ExitStatus {
    var statuses: [ExitStatus] = []
    var results: [JSONValue] = []
    for name in names {
      do throws(AuthError) {
        let outcome = try await outcome(of: action, name)
        results.append(.object(["profile": .string(name.string), "outcome": .string(outcome.word)]))
        if !settings.quiet, !invocation.wantsJSON { context.console.note("\(name): \(outcome.sentence)") }
      } catch {
        statuses.append(ErrorReport(error).report(settings, context, profile: name.string))
      }
    }
    if names.isEmpty, !settings.quiet { context.console.note("authctl: there are no profiles") }
    if invocation.wantsJSON, statuses.isEmpty {
      try context.console.write(try JSONValue.array(results).text() + "\n")
    }
    return statuses.worst
  }

  private func outcome(
    of action: (ProfileSession) async throws(AuthError) -> Outcome, _ name: ProfileName
  ) async throws(AuthError) -> Outcome {
    let profile = try ProfileChoice(context).profile(named: name)
    return try await action(context.session(profile, settings))
  }
}

extension ErrorReport {
  /// Tells the error on standard error.
  func report(_ settings: Settings, _ context: Context, profile: String? = nil) -> ExitStatus {
    var report = self
    report.profile = report.profile ?? profile
    if !report.silent { context.console.note(settings.errorsAsJSON ? report.json : report.text) }
    return report.status
  }
}
