/// Decides in which process a refresh runs: a program whose refreshes must outlive it uses its own runner.
package protocol RefreshRunner: Sendable {
  /// Runs a refresh to its end.
  ///
  /// - Parameters:
  ///   - current: the stored pair, read under the lock.
  ///   - lock: the lock, which must be held until the refresh has ended.
  /// - Returns: the pair that is stored afterwards.
  /// - Throws: ``AuthError``, which names the next step.
  func run(_ exchange: TokenRefresh, of current: TokenPair, holding lock: LockHandle) async throws(AuthError)
    -> TokenPair
}

/// Runs refreshes in the process that needs the token.
package struct InProcessRefresh: RefreshRunner {
  /// Creates the runner.
  package init() {}

  package func run(
    _ exchange: TokenRefresh, of current: TokenPair, holding lock: LockHandle
  ) async throws(AuthError) -> TokenPair {
    try await exchange.run(current, holding: lock)
  }
}
