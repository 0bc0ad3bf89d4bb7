import Synchronization

/// What must be at its end before the program exits: renewals, and the commands that they cause.
public final class RenewalsUnderWay: Sendable {
  typealias Wait = @Sendable () async -> Void

  private let waits = Mutex<[Wait]>([])

  /// Starts with none.
  public init() {}

  /// Remembers something; `wait` returns when that has ended, which it does within bounded time.
  func add(_ wait: @escaping Wait) {
    waits.withLock { $0.append(wait) }
  }

  /// Waits until nothing is under way.
  public func finish() async {
    while let wait = waits.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { await wait() }
  }
}
