import AuthCore
import Synchronization

/// Checks whether the ports of redirect URIs are free, one profile after the other: two may have the same port.
final class PortCheck: Sendable {
  private let turn = Mutex(())

  /// Returns why no login can wait at any of the URIs; nil if one can.
  func failure(of uris: [RedirectURI]) -> AuthError? {
    turn.withLock { _ in
      do throws(AuthError) {
        try LoopbackListener(uris).close()
        return nil
      } catch {
        return error
      }
    }
  }
}
