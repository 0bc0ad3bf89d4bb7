public import FoundationEssentials

/// Whether a session can be used, as far as it is known without a request.
public enum SessionState: Sendable, Equatable {
  /// Not logged in.
  case loggedOut
  /// The token can be used, or refreshed: it expires then; nil if that is unknown.
  case loggedIn(expiresAt: Date?)
  /// The user must log in again.
  case loginRequired(LoginReason)
}

extension TokenSession {
  /// The state of the session. Reads the storage, and sends nothing.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  public var state: SessionState {
    get async throws(AuthError) { state(of: try await backend.storage.load()) }
  }

  /// The state of the session, and then each change of it by this process; each access creates a new stream.
  ///
  /// A state that can't be read is left out: the next change shows it.
  public var states: AsyncStream<SessionState> {
    let changes = settings.events.stream()
    let (stream, watcher) = AsyncStream.makeStream(of: SessionState.self, bufferingPolicy: .bufferingNewest(16))
    let forwarding = Task { [self] in
      var last: SessionState?
      func show() async {
        guard let state = try? await state, state != last else { return }
        last = state
        watcher.yield(state)
      }
      await show()
      for await _ in changes { await show() }
      watcher.finish()
    }
    watcher.onTermination = { _ in forwarding.cancel() }
    return stream
  }

  private func state(of pair: TokenPair?) -> SessionState {
    guard let pair else { return .loggedOut }
    guard !pair.isDead else { return .loginRequired(.refused) }
    let now = backend.now()
    let isValid = pair.remaining(at: now).map { $0 > 0 } ?? true
    guard !isValid, !backend.refresher.canRefresh(pair) else { return .loggedIn(expiresAt: pair.expiresAt) }
    if pair.refreshToken == nil { return .loginRequired(.noRefreshToken) }
    if pair.refusal != nil { return .loginRequired(.refused) }
    return .loginRequired(pair.refreshRemaining(at: now).map { $0 > 0 } ?? false ? .margin : .expired)
  }
}
