/// The lock of one profile: among all processes of a user, one at a time may refresh its tokens.
public protocol RefreshLock: Sendable {
  /// Runs `body` while holding the lock.
  ///
  /// - Parameters:
  ///   - access: alone, or together with others who also only read.
  ///   - deadline: how long to wait for the lock at the most; zero tries once.
  ///   - body: gets the lock, which it may hand on.
  /// - Returns: what `body` returns; nil when the lock could not be had in time.
  /// - Throws: ``AuthError/failed(_:)`` when the lock can't be had at all; else what `body` throws.
  func withLock<Result: Sendable>(
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result?
}

/// How a lock is held.
public enum LockAccess: Sendable {
  /// Held by one process, which may refresh and write.
  case exclusive
  /// Held by any number of processes while no process holds it exclusively: they read what the last writer left.
  case shared
}
