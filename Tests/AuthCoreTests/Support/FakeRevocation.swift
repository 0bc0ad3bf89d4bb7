import Synchronization

@testable import AuthCore

/// Remembers what it was asked to revoke.
final class FakeRevocation: TokenRevocation {
  private let tokens = Mutex<[Secret]>([])

  /// The access tokens of the pairs.
  var revoked: [Secret] { tokens.withLock { $0 } }

  func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool {
    tokens.withLock { $0.append(pair.accessToken) }
    return true
  }
}
