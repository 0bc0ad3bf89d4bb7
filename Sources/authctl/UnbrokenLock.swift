import AuthCore
import CProcess

/// A lock that delays termination by signals while it is held exclusively. It protects a session from the loss of its
/// tokens during a refresh or a write.
struct UnbrokenLock: RefreshLock {
  let lock: any RefreshLock

  func withLock<Result: Sendable>(
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result? {
    guard access == .exclusive else { return try await lock.withLock(access, deadline: deadline, body) }
    return try await lock.withLock(access, deadline: deadline) { held throws(AuthError) in
      cprocess_enter_section()
      defer { cprocess_leave_section() }
      return try await body(held)
    }
  }
}
