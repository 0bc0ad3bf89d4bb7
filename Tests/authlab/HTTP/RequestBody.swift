import Foundation

/// The body of a request, read as far as an endpoint wants it (RFC 9112, section 6).
final class RequestBody {
  private enum Framing {
    case inMemory([UInt8])
    case length(Int)
    case chunked(leftInChunk: Int)
    case ended
  }

  private let stream: ByteStream?
  private var framing: Framing
  private var owesContinue: Bool

  /// Prepares to read the body that belongs to a head.
  /// - Throws: `ProtocolError` when the framing can't be understood.
  init(of request: Request, from stream: ByteStream) throws(ProtocolError) {
    self.stream = stream
    owesContinue = request.headers["expect"]?.lowercased() == "100-continue"
    if let coding = request.headers["transfer-encoding"] {
      guard coding.lowercased() == "chunked" else {
        throw ProtocolError(status: 501, reason: "Only the transfer coding chunked is known.")
      }
      framing = .chunked(leftInChunk: 0)
    } else if let text = request.headers["content-length"] {
      guard let length = Int(text), length >= 0 else {
        throw ProtocolError(status: 400, reason: "Content-Length is not a number.")
      }
      framing = length == 0 ? .ended : .length(length)
    } else {
      framing = .ended
    }
  }

  /// Holds a body that has been read already.
  init(_ bytes: [UInt8]) {
    stream = nil
    framing = bytes.isEmpty ? .ended : .inMemory(bytes)
    owesContinue = false
  }

  /// Whether the client still holds the body back (RFC 9110, section 10.1.1) and need not send it at all.
  var isHeldBack: Bool {
    if case .ended = framing { return false }
    return owesContinue
  }

  /// Reads the next piece; nil at the end.
  /// - Throws: `ProtocolError` when the framing breaks, `SocketError` when the connection does.
  func next() async throws -> [UInt8]? {
    if isHeldBack {
      owesContinue = false
      try await stream?.write(.init("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    switch (framing, stream) {
    case (.inMemory(let bytes), _):
      framing = .ended
      return bytes
    case (.length(let left), let stream?):
      let piece = try await stream.read(atMost: left)
      framing = piece.count == left ? .ended : .length(left - piece.count)
      return piece
    case (.chunked(let left), let stream?):
      return try await nextOfChunk(left, of: stream)
    case (.ended, _), (_, nil):
      return nil
    }
  }

  /// Reads all that is left.
  /// - Throws: `ProtocolError` with 413 when it is more than `limit` bytes; else as `next()`.
  func collect(limit: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try await next() {
      bytes += piece
      guard bytes.count <= limit else { throw ProtocolError(status: 413, reason: "The body is too long.") }
    }
    return bytes
  }

  /// Reads and forgets all that is left, so that the next request can be found.
  /// - Throws: As `next()`.
  func drain() async throws {
    while try await next() != nil {}
  }

  private func nextOfChunk(_ leftInChunk: Int, of stream: ByteStream) async throws -> [UInt8]? {
    var left = leftInChunk
    if left == 0 {
      let size = try await stream.readLine()?.split(separator: ";").first ?? ""
      guard let count = Int(size.filter { $0 != " " }, radix: 16), count >= 0 else {
        throw ProtocolError(status: 400, reason: "The size of a chunk is not a number.")
      }
      guard count > 0 else {
        while let line = try await stream.readLine(), !line.isEmpty {}
        framing = .ended
        return nil
      }
      left = count
    }
    let piece = try await stream.read(atMost: left)
    left -= piece.count
    if left == 0 { _ = try await stream.readLine() }
    framing = .chunked(leftInChunk: left)
    return piece
  }
}
