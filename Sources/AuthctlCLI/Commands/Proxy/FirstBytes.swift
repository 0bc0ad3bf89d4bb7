import Synchronization

/// The beginning of a body that has been read ahead, and is read again before the rest.
final class FirstBytes: Sendable {
  private let rest: Mutex<ArraySlice<UInt8>>

  init(_ bytes: [UInt8]) {
    rest = Mutex(bytes[...])
  }

  /// Copies the next bytes; returns their number, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    rest.withLock { rest in
      let part = rest.prefix(buffer.count)
      unsafe buffer.copyBytes(from: part)
      rest = rest[part.endIndex...]
      return part.count
    }
  }
}
