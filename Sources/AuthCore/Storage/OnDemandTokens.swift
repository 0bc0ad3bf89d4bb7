import FoundationEssentials
import Synchronization

/// Keeps the pair of a session without a store in memory, until the process ends. With a cache, the processes of the
/// user share its token.
///
/// Such a session needs no login: it begins with a pair without a token, and the first refresh repeats the grant.
final class OnDemandTokens: TokenStorage {
  private let first: TokenPair
  private let cache: TokenCache?
  private let pair = Mutex<TokenPair?>(nil)

  /// Creates a storage that has not requested a token yet.
  ///
  /// - Parameters:
  ///   - first: the pair that the session begins with; see ``TokenPair/init(repeating:at:)``.
  ///   - cache: the cache of its token; nil if no process shares it.
  init(first: TokenPair, cache: TokenCache? = nil) {
    self.first = first
    self.cache = cache
  }

  /// Returns the cached pair, which is not older than that of this process: each exchange makes the former invalid.
  func load() async throws(AuthError) -> TokenPair? {
    guard let cached = cache?.current() else { return pair.withLock { $0 } }
    var pair = first
    (pair.accessToken, pair.expiresAt, pair.issuedAt) = (cached.accessToken, cached.expiresAt, cached.issuedAt)
    return pair
  }

  func save(_ pair: TokenPair) async throws(AuthError) { self.pair.withLock { $0 = pair } }

  /// Writes the pair: only this process can end the session.
  func replace(_ former: TokenPair, with pair: TokenPair) async throws(AuthError) -> Bool {
    try await save(pair)
    return true
  }

  func clear() async throws(AuthError) { pair.withLock { $0 = nil } }

  /// Returns the pair, and begins the session if there is none.
  func begin() -> TokenPair {
    pair.withLock { pair in
      let begun = pair ?? first
      pair = begun
      return begun
    }
  }
}

extension TokenStorage {
  /// Begins a session that needs no login, and returns its pair; nil if a login is needed.
  func begun() -> TokenPair? { (self as? OnDemandTokens)?.begin() }

  /// Whether the pair outlives the process.
  var keepsTokens: Bool { !(self is OnDemandTokens) }
}

extension TokenPair {
  /// Creates a pair without a token, whose first refresh repeats the grant of a flow.
  init(repeating flow: String, at time: Date) {
    self.init(accessToken: Secret(""), expiresAt: time, issuedAt: time)
    self.flow = flow
  }

  /// Whether no token has been requested for the pair yet.
  var lacksToken: Bool { accessToken.exposed.isEmpty }
}
