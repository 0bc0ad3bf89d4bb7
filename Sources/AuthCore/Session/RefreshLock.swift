/// The lock of one profile: of all processes of a user, one at a time may renew its tokens.
public protocol RefreshLock: Sendable {
  /// Runs `body` while holding the lock.
  ///
  /// - Parameter deadline: how long to wait for the lock at the most.
  /// - Throws: ``AuthError/tryLater(_:)`` when the lock could not be had in time, ``AuthError/failed(_:)`` when it can't
  ///   be had at all; else what `body` throws.
  func withLock<Result: Sendable>(
    deadline: Duration, _ body: @Sendable () async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result
}
