import AuthCore
import CProcess

/// A lock whose exclusive holder is not ended by a signal: what happens under it is what a session lives by, an
/// exchange that has begun, a pair that is being written.
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
