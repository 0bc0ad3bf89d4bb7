/// The lock of a session without a store that caches its tokens: its processes share one exchange.
///
/// If the cache or the lock file can't be used, or the lock is not free in time, the process shares nothing, as without
/// a cache.
struct CacheLock: RefreshLock {
  private let file: any RefreshLock
  private let own = ProcessLock()
  private let cache: TokenCache

  /// Wraps the profile's lock.
  init(_ file: any RefreshLock, of cache: TokenCache) {
    self.file = file
    self.cache = cache
  }

  func withLock<Result: Sendable>(
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result? {
    guard cache.isUsable else { return try await own.withLock(access, deadline: deadline, body) }
    let outcome: Swift.Result<Result, AuthError>?
    do throws(AuthError) {
      outcome = try await file.withLock(access, deadline: deadline) { handle throws(AuthError) in
        do throws(AuthError) { return .success(try await body(handle)) } catch { return .failure(error) }
      }
    } catch {
      // The error of the lock, not of the body.
      cache.fail(error.explanation.why)
      return try await own.withLock(access, deadline: deadline, body)
    }
    if let outcome { return try outcome.get() }
    guard deadline > .zero else { return nil }
    cache.fail("another process holds the lock for too long")
    return try await own.withLock(access, deadline: deadline, body)
  }
}
