import Synchronization

/// Knows whether the terminal is within a line of standard output, so that a message starts on a line of its own.
final class OutputLine: Sendable {
  /// Whether standard output and standard error are the same terminal or file; else neither changes the other.
  let isShared: Bool
  private let isOpen = Mutex(false)

  /// Starts at the beginning of a line.
  init(isShared: Bool) { self.isShared = isShared }

  /// Records what was written to standard output.
  func wrote(_ bytes: some BidirectionalCollection<UInt8>) {
    guard isShared, let last = bytes.last else { return }
    isOpen.withLock { $0 = last != UInt8(ascii: "\n") }
  }

  /// Returns whether a message must begin with a line end; it is then at the beginning of a line.
  func close() -> Bool {
    isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
  }
}
