import NIOCore

/// Reads the requests of a connection from its bytes, one after the other.
///
/// All of the syntax is checked here. NIO's decoder is not used: it knows a fixed list of methods only, stops at
/// `Upgrade`, and a second parser could find the end of a request elsewhere than the checks in front of it.
struct RequestReader {
  /// A part of a request.
  enum Part {
    case head(RequestHead)
    case body(ByteBuffer)
    case end
  }

  private enum State {
    case head(LineScanner)
    case length(Int64)
    case chunks(ChunkReader)
  }

  private let limits: ServerLimits
  private var state = State.head(LineScanner())
  private var hasSkippedLine = false

  /// Creates a reader at the start of a request.
  init(_ limits: ServerLimits) { self.limits = limits }

  /// Reads the next part from the bytes that have arrived.
  ///
  /// - Returns: the part; nil if more bytes are needed.
  /// - Throws: the fault for which the request is refused. The reader must not be used after it.
  mutating func next(from buffer: inout ByteBuffer) throws(RequestFault) -> Part? {
    switch state {
    case .head(let scanner): return try readHead(scanner, from: &buffer).map { .head($0) }
    case .length(0):
      reset()
      return .end
    case .length(let count):
      let length = Int(min(count, Int64(buffer.readableBytes)))
      guard length > 0, let bytes = buffer.readSlice(length: length) else { return nil }
      state = .length(count - Int64(length))
      return .body(bytes)
    case .chunks(var reader):
      let part = try reader.next(from: &buffer)
      state = .chunks(reader)
      switch part {
      case .bytes(let bytes): return .body(bytes)
      case .end:
        reset()
        return .end
      case nil: return nil
      }
    }
  }

  /// The number of bytes of the body that are still to come; nil if it is unknown.
  var remainingLength: Int64? { if case .length(let count) = state { count } else { nil } }

  private mutating func reset() {
    state = .head(LineScanner())
    hasSkippedLine = false
  }

  private mutating func readHead(
    _ scanner: LineScanner, from buffer: inout ByteBuffer
  ) throws(RequestFault) -> RequestHead? {
    var scanner = scanner
    guard buffer.readableBytes > 0 else { return nil }
    guard let end = try scanner.end(in: buffer.readableBytesUInt8Span, maximum: limits.headBytes) else {
      state = .head(scanner)
      return nil
    }
    guard let lines = buffer.readBytes(length: end)?.dropLast(2) else { return nil }
    if lines.isEmpty {
      // RFC 9112, section 2.2: an empty line before a request is ignored.
      guard !hasSkippedLine else { throw .malformed }
      hasSkippedLine = true
      return try readHead(LineScanner(), from: &buffer)
    }
    let head = try RequestHead(lines, maximumFields: limits.fields)
    switch head.framing {
    case .length(let count): state = .length(count)
    case .chunked: state = .chunks(ChunkReader())
    }
    return head
  }
}
