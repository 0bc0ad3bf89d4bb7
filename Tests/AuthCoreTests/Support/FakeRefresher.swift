import Synchronization

@testable import AuthCore

/// A refresh that runs a closure, and counts.
final class FakeRefresher: TokenRefresher {
  typealias Body = @Sendable (TokenPair) async throws(RefreshFailure) -> TokenPair

  private let count = Mutex(0)
  private let able: Bool
  private let body: Body

  init(able: Bool = true, _ body: @escaping Body) {
    self.able = able
    self.body = body
  }

  var calls: Int { count.withLock { $0 } }

  func canRefresh(_ pair: TokenPair) -> Bool { able }

  func refresh(_ pair: TokenPair) async throws(RefreshFailure) -> TokenPair {
    count.withLock { $0 += 1 }
    return try await body(pair)
  }
}
