/// The lock of a session that is stored in a file: if it can't be used, the store can't be written either.
struct StorageLock: RefreshLock {
  private let lock: any RefreshLock

  /// Wraps a lock.
  init(_ lock: any RefreshLock) {
    self.lock = lock
  }

  func withLock<Result: Sendable>(
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result? {
    let outcome: Swift.Result<Result, AuthError>?
    do throws(AuthError) {
      outcome = try await lock.withLock(access, deadline: deadline) { handle throws(AuthError) in
        do throws(AuthError) { return .success(try await body(handle)) } catch { return .failure(error) }
      }
    } catch {
      // The error of the lock, not of the body.
      throw .storage(.refused, error.explanation)
    }
    return try outcome?.get()
  }
}
