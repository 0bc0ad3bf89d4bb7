import AuthCore

/// The wait for the response of a browser login: at the listener, and for the address that the user pastes.
struct BrowserWait: Sendable {
  /// The time to wait.
  let timeout: Duration
  /// Checks responses.
  let check: CallbackCheck
  /// Takes the address from the user.
  let prompt: AddressPrompt
  /// Asks the server what it refuses.
  let question: AuthorizationQuestion
  let context: Context

  /// Waits for the first response that is accepted; nil if there is none in time.
  ///
  /// - Throws: `CancellationError`.
  func response(
    _ visit: LoopbackVisit<CallbackCheck.Response>, _ line: WaitingLine
  ) async throws -> CallbackCheck.Response? {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await prompt.read { await take($0, visit) } }
      group.addTask { await warn() }
      defer { group.cancelAll() }
      return try await line.during { try await visit.response(within: timeout) }
    }
  }

  private func take(_ fields: [FormField], _ visit: LoopbackVisit<CallbackCheck.Response>) async -> Bool {
    guard case .accepted(let response) = check.verdict(fields) else { return false }
    await visit.take(response, of: fields)
    return true
  }

  /// Warns of what the server refuses if the browser does not return.
  private func warn() async {
    // A login that ends first cancels the wait; at the limit, the error has the reason.
    guard context.silenceTime < timeout, (try? await ContinuousClock().sleep(for: context.silenceTime)) != nil,
      let refusal = await question.answer(), !context.verbosity.quiet
    else { return }
    context.console.note("authctl: warning: \(refusal.why): \(refusal.hint)")
  }

  /// Returns the error at the limit, with what the server refuses.
  func timedOut(_ profile: Profile, redirectURI: String, isPushed: Bool) async -> AuthError {
    let refusal = await question.answer()
    let ignored = check.ignoredError.map { "; an error without state was ignored: \($0)" } ?? ""
    let refused = refusal.map { "; \($0.why)" } ?? ""
    let client = Escaped.text(profile.clientID, limit: 80)
    let pushed =
      isPushed
      ? "; the request was pushed (PAR): to send it without, set pushed_authorization_request = \"\" in [endpoints]"
      : ""
    let explanation = AuthError.Explanation(
      "logging in to \(profile.name)",
      why: "the browser did not return within \(DurationText.describe(timeout.seconds))\(refused)\(ignored)",
      hint: refusal?.hint
        ?? "log in again; if the server showed an error, check that \(redirectURI) is registered for client \(client)"
        + pushed)
    return refusal?.isCertain == true ? .refused(explanation) : .tryLater(explanation)
  }
}
