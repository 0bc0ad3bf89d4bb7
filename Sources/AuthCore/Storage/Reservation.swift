import Synchronization

/// The file whose room this process has reserved for the tokens of an exchange; nil if there is none.
final class Reservation: Sendable {
  private let file = Mutex<ReservedFile?>(nil)

  /// Returns the file, which is then the caller's.
  func take() -> ReservedFile? {
    file.withLock { file in
      defer { file = nil }
      return file
    }
  }

  /// Keeps a file; the one before it is closed.
  func put(_ new: ReservedFile) {
    take()?.close()
    file.withLock { $0 = new }
  }
}
