import AuthCore

extension [RequestBody] {
  /// Reads a part of consecutive bodies.
  ///
  /// - Parameter position: at most the number of bytes read before.
  /// - Returns: the number of bytes, 0 at the end of the last.
  /// - Throws: as ``RequestBody``.
  func read(into buffer: inout MutableRawSpan, at position: Int64, for job: TransferTask) throws -> Int {
    var rest = position
    for body in self {
      if let length = body.knownLength, length <= rest {
        rest -= length
        continue
      }
      let count = try body.read(into: &buffer, at: rest, for: job)
      // A stream's end is known only now: the next bytes are the next body's.
      if count > 0 { return count }
      rest -= body.knownLength ?? rest
    }
    return 0
  }
}
