import AuthCore
import Synchronization

/// The idle handles, with the connections that they keep open.
final class SessionPool: Sendable {
  /// The maximum number of idle handles.
  private static let limit = 8

  private let idle = Mutex<[CurlSession]>([])

  /// Returns the handle that was used last, because its connections are the most likely to be open, or creates one.
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
