/// Says in which process an exchange runs: the seam for programs whose exchanges must outlive them.
package protocol RefreshRunner: Sendable {
  /// Runs an exchange to its end.
  ///
  /// - Parameters:
  ///   - current: the stored pair, read under the lock.
  ///   - lock: the lock, which must be held until the exchange has ended.
  /// - Returns: the pair that is stored afterwards.
  /// - Throws: ``AuthError`` with what to do next.
  func run(_ exchange: TokenRefresh, of current: TokenPair, holding lock: LockHandle) async throws(AuthError)
    -> TokenPair
}

/// Runs exchanges in the process that wants the token.
package struct InProcessRefresh: RefreshRunner {
  /// Makes the runner.
  package init() {}

  package func run(
    _ exchange: TokenRefresh, of current: TokenPair, holding lock: LockHandle
  ) async throws(AuthError) -> TokenPair {
    try await exchange.run(current, holding: lock)
  }
}
