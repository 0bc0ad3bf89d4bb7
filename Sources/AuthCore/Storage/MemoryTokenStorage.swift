import Synchronization

/// Keeps the pair in memory: it goes with the process.
public final class MemoryTokenStorage: TokenStorage {
  private let pair: Mutex<TokenPair?>

  /// Begins with a pair, or with none.
  public init(_ pair: TokenPair? = nil) {
    self.pair = Mutex(pair)
  }

  public func load() async throws(AuthError) -> TokenPair? { pair.withLock { $0 } }

  public func save(_ pair: TokenPair) async throws(AuthError) { self.pair.withLock { $0 = pair } }

  public func clear() async throws(AuthError) { pair.withLock { $0 = nil } }
}
