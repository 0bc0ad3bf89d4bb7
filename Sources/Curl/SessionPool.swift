import AuthCore
import Synchronization

/// The handles that are idle, with the connections they keep open.
final class SessionPool: Sendable {
  /// How many idle handles are kept.
  private static let limit = 8

  private let idle = Mutex<[CurlSession]>([])

  /// Takes the handle that was used last, since its connections are the most likely to be alive, or makes one.
  ///
  /// - Throws: ``TransportError/unusable(detail:)``.
  func take() throws(TransportError) -> CurlSession {
    if let session = idle.withLock({ $0.popLast() }) { return session }
    return try CurlSession()
  }

  /// Keeps a handle for the next transfer.
  func put(_ session: CurlSession) {
    idle.withLock { idle in
      guard idle.count < SessionPool.limit else { return }
      idle.append(session)
    }
  }
}
