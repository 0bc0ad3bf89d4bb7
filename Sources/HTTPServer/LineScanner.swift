/// Finds the end of a block of lines, and checks the line ends and control characters on the way, each byte once.
struct LineScanner {
  private var scanned = 0
  private var lineStart = 0
  /// Whether the last byte was a CR, which only an LF may follow.
  private var isAfterReturn = false

  /// Scans the bytes that have arrived since the last call.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the block so far.
  ///   - maximum: the maximum size of the block.
  ///   - isOneLine: whether the block is one line; otherwise, it ends with an empty line.
  /// - Returns: the size of the block with its last line end; nil if it is incomplete.
  /// - Throws: a fault if a line does not end with CRLF, a control character is found, or the block is too large.
  mutating func end(
    in bytes: Span<UInt8>, maximum: Int, isOneLine: Bool = false
  ) throws(RequestFault) -> Int? {
    while scanned < min(bytes.count, maximum) {
      let byte = bytes[scanned]
      scanned += 1
      guard isAfterReturn == (byte == 0x0A) else { throw .malformed }
      if isAfterReturn {
        isAfterReturn = false
        if isOneLine || scanned - lineStart == 2 { return scanned }
        lineStart = scanned
      } else if byte == 0x0D {
        isAfterReturn = true
      } else if !FieldSyntax.isValue(byte) {
        throw .malformed
      }
    }
    guard bytes.count < maximum else { throw .tooLarge }
    return nil
  }
}
