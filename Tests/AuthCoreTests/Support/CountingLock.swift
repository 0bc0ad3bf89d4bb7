import Synchronization

@testable import AuthCore

/// A lock that counts how often it was asked for.
final class CountingLock: RefreshLock {
  private let inner: FileLock
  private let count = Mutex(0)

  init(_ inner: FileLock) {
    self.inner = inner
  }

  var uses: Int { count.withLock { $0 } }

  func withLock<Result: Sendable>(
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result? {
    count.withLock { $0 += 1 }
    return try await inner.withLock(access, deadline: deadline, body)
  }
}
