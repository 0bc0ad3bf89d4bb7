/// The lock of one profile. Only one process of a user at a time may refresh its tokens.
public protocol RefreshLock: Sendable {
  /// Acquires the lock and runs `body` while holding it.
  ///
  /// - Parameters:
  ///   - access: exclusive, or shared with other readers.
  ///   - deadline: the maximum time to wait for the lock; zero tries once.
  ///   - body: receives the lock, which it may pass to another process.
  /// - Returns: the result of `body`; nil if the lock could not be acquired in time.
  /// - Throws: ``AuthError/failed(_:)`` if the lock can't be used; otherwise the error of `body`.
  func withLock<Result: Sendable>(
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result?
}

/// How a lock is held.
public enum LockAccess: Sendable {
  /// Held by one process, which may refresh and write.
  case exclusive
  /// Held by any number of processes while no process holds it exclusively: they read the tokens that the last writer
  /// stored.
  case shared
}
