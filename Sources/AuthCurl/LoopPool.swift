import Synchronization

/// The idle loops for one transfer at a time, with the connections that they keep open.
final class LoopPool: Sendable {
  /// The maximum number of idle loops.
  private static let limit = 256

  private let idle = Mutex<[TransferLoop]>([])

  /// Returns the loop that was used last, because its connections are the most likely to be open, or creates one.
  func take() -> TransferLoop { idle.withLock { $0.popLast() } ?? TransferLoop(limit: 1) }

  /// Keeps a loop for the next transfer.
  func put(_ loop: TransferLoop) {
    idle.withLock { idle in
      guard idle.count < LoopPool.limit else { return }
      idle.append(loop)
    }
  }
}
