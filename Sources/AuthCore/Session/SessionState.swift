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
    get async throws(AuthError) { try await SessionState(of: backend) }
  }

  /// The state of the session, and then each change of it that this process causes; each access creates a new stream.
  ///
  /// A state that can't be read is left out: the next change shows it.
  public var states: AsyncStream<SessionState> {
    let changes = settings.events.stream()
    let (stream, watcher) = AsyncStream.makeStream(of: SessionState.self, bufferingPolicy: .bufferingNewest(16))
    let forwarding = Task { [backend] in
      var last: SessionState?
      func show() async {
        guard let state = try? await SessionState(of: backend), state != last else { return }
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
}

extension SessionState {
  fileprivate init(of backend: SessionBackend) async throws(AuthError) {
    guard let pair = try await backend.storage.load() else {
      self = .loggedOut
      return
    }
    let isValid = pair.remaining(at: backend.now()).map { $0 > 0 } ?? true
    do throws(RefreshFailure) {
      if pair.isDead || !isValid { try backend.refresher.check(pair) }
      self = .loggedIn(expiresAt: pair.expiresAt)
    } catch {
      self = .loginRequired(error.reason.explanation.reason ?? .refused)
    }
  }
}
