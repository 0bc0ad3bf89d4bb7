import AuthCore

/// Refreshes in this process and runs `[on] login_required` if the session is dead. Only the process that detects this
/// runs the command, so it runs once.
struct HookedRefresh: RefreshRunner {
  let profile: Profile
  let context: Context
  let events: EventHandler

  func run(_ exchange: TokenRefresh, of current: TokenPair, holding lock: LockHandle) async throws(AuthError)
    -> TokenPair
  {
    var exchange = exchange
    exchange.begun = { [profile, context] in context.relauncher?.endAfter(BackgroundRefresh.limit(profile)) }
    defer { context.relauncher?.endAfter(.zero) }
    do throws(AuthError) {
      return try await exchange.run(current, holding: lock)
    } catch {
      startHook(for: error)
      throw error
    }
  }

  /// Starts the command if the error is a dead session; the program exits after the command has ended.
  func startHook(for error: AuthError) {
    guard case .loginRequired(let explanation) = error, let code = explanation.serverError,
      let command = profile.onLoginRequired
    else { return }
    let variables = ["AUTHCTL_PROFILE": profile.name.string, "AUTHCTL_ERROR": Escaped.text(code, limit: 80)]
    let (hooks, events) = (context.hooks, events)
    let run = Task {
      guard let failure = await hooks.run(command, variables: variables) else { return }
      events(.warning("the command of [on] login_required failed: \(failure)"))
    }
    context.refreshes.add { await run.value }
  }
}
