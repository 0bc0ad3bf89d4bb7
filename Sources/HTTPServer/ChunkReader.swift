import NIOCore

/// Reads a body in chunks (RFC 9112, section 7.1).
struct ChunkReader {
  private enum State {
    case size(LineScanner)
    case data(Int64)
    case dataEnd
    case trailers(LineScanner)
  }

  /// A part of the body.
  enum Part {
    case bytes(ByteBuffer)
    case end
  }

  private static let lineBytes = 256
  private static let trailerBytes = 8 << 10
  private var state = State.size(LineScanner())

  /// Reads the next part from the bytes that have arrived.
  ///
  /// - Returns: the part; nil if more bytes are needed.
  /// - Throws: a fault if the chunks are malformed.
  mutating func next(from buffer: inout ByteBuffer) throws(RequestFault) -> Part? {
    while buffer.readableBytes > 0 {
      switch state {
      case .size(let scanner):
        guard let size = try readSize(scanner, from: &buffer) else { return nil }
        state = size == 0 ? .trailers(LineScanner()) : .data(size)
      case .data(let count):
        let length = Int(min(count, Int64(buffer.readableBytes)))
        guard let bytes = buffer.readSlice(length: length) else { return nil }
        state = count == Int64(length) ? .dataEnd : .data(count - Int64(length))
        return .bytes(bytes)
      case .dataEnd:
        guard try hasDataEnd(&buffer) else { return nil }
        state = .size(LineScanner())
      case .trailers(let scanner):
        return try readTrailers(scanner, from: &buffer) ? .end : nil
      }
    }
    return nil
  }

  private func hasDataEnd(_ buffer: inout ByteBuffer) throws(RequestFault) -> Bool {
    guard buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) == 0x0D else { throw .malformed }
    guard buffer.readableBytes > 1 else { return false }
    guard buffer.readInteger(as: UInt16.self) == 0x0D0A else { throw .malformed }
    return true
  }

  /// Reads the line of a chunk's size. Its extensions are discarded.
  private mutating func readSize(
    _ scanner: LineScanner, from buffer: inout ByteBuffer
  ) throws(RequestFault) -> Int64? {
    var scanner = scanner
    let end = try malformed(scanner.end(in: buffer.readableBytesUInt8Span, maximum: Self.lineBytes, isOneLine: true))
    state = .size(scanner)
    guard let end, let line = buffer.readBytes(length: end)?.dropLast(2) else { return nil }
    let digits = line.prefix { $0 != 0x3B }
    guard (1...15).contains(digits.count) else { throw .malformed }
    var size: Int64 = 0
    for digit in digits {
      guard let value = FieldSyntax.hexValue(digit) else { throw .malformed }
      size = size << 4 | Int64(value)
    }
    return size
  }

  /// Reads the fields after the last chunk, and discards them.
  private mutating func readTrailers(
    _ scanner: LineScanner, from buffer: inout ByteBuffer
  ) throws(RequestFault) -> Bool {
    var scanner = scanner
    let end = try malformed(scanner.end(in: buffer.readableBytesUInt8Span, maximum: Self.trailerBytes))
    state = .trailers(scanner)
    guard let end, var lines = buffer.readBytes(length: end)?.dropLast(2) else { return false }
    while !lines.isEmpty {
      let line = lines.prefix { $0 != 0x0D }
      let name = FieldSyntax.lower(try FieldSyntax.field(line).name)
      // RFC 9110, section 6.5.1: fields for framing and routing are not allowed here.
      guard !["content-length", "transfer-encoding", "host"].contains(name) else { throw .malformed }
      lines = lines[line.endIndex...].dropFirst(2)
    }
    return true
  }

  /// Reports a line that is too long as malformed: 431 is for heads only.
  private func malformed(_ scan: @autoclosure () throws(RequestFault) -> Int?) throws(RequestFault) -> Int? {
    do {
      return try scan()
    } catch {
      throw .malformed
    }
  }
}
