import AuthCore
import Synchronization

/// The managers whose renewals must be at their end before the program exits.
public final class RenewalsUnderWay: Sendable {
  private let managers = Mutex<[TokenManager]>([])

  /// Starts with none.
  public init() {}

  /// Remembers a manager.
  func add(_ manager: TokenManager) {
    managers.withLock { $0.append(manager) }
  }

  /// Waits until no renewal is under way; each is bounded in time.
  public func finish() async {
    for manager in managers.withLock({ $0 }) { await manager.finishRenewal() }
  }
}
