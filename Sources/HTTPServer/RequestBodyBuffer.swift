import NIOCore

/// The bytes of a request body that have arrived, and have not been read yet. They are copied into one buffer, so that
/// a body in small pieces does not take more memory than its bytes.
struct RequestBodyBuffer {
  private var bytes = ByteBuffer()
  /// Whether the end of the body has arrived.
  var isComplete = false

  /// The number of bytes.
  var count: Int { bytes.readableBytes }

  /// Adds bytes at the end.
  mutating func append(_ piece: ByteBuffer) {
    if bytes.readableBytes == 0 { bytes.clear() }
    if bytes.writableBytes < piece.readableBytes { bytes.discardReadBytes() }
    bytes.writeImmutableBuffer(piece)
  }

  /// Copies bytes to memory, and removes them.
  ///
  /// - Returns: the number of bytes.
  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    unsafe bytes.readWithUnsafeReadableBytes { source in
      let count = min(source.count, target.count)
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
      return (count, count)
    }
  }

  /// Removes and returns at most `limit` bytes.
  mutating func read(upTo limit: Int) -> [UInt8] { bytes.readBytes(length: min(limit, count)) ?? [] }
}
