import Synchronization

/// The file whose room this process has reserved for the tokens of an exchange; nil if there is none.
final class Reservation: Sendable {
  private let reserved = Mutex<(file: ReservedFile, key: StoreKey)?>(nil)

  /// The key with which the file will be sealed; nil if there is no file.
  var key: StoreKey? { reserved.withLock { $0?.key } }

  /// Returns the file, which is then the caller's.
  func take() -> ReservedFile? {
    reserved.withLock { reserved in
      defer { reserved = nil }
      return reserved?.file
    }
  }

  /// Keeps a file and its key; the file before it is closed.
  func put(_ new: ReservedFile, _ key: StoreKey) {
    take()?.close()
    reserved.withLock { $0 = (new, key) }
  }
}
