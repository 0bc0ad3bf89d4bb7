import HTTPServer

/// The body of a request, read as far as an endpoint wants it (RFC 9112, section 6).
final class RequestBody {
  /// The body is longer than its reader wants.
  struct TooLong: Error {}

  private let exchange: ServerExchange?
  private var bytes: [UInt8]
  private var hasEnded = false
  /// Whether the client still holds the body back (RFC 9110, section 10.1.1) and need not send it at all.
  private(set) var isHeldBack = false

  /// Prepares to read the body of an exchange.
  init(of exchange: ServerExchange) {
    self.exchange = exchange
    bytes = []
    let request = exchange.request
    let hasBody = request.isChunked || request.contentLength ?? 0 > 0
    isHeldBack = hasBody && request.value("expect")?.lowercased() == "100-continue"
  }

  /// Holds a body that has been read already.
  init(_ bytes: [UInt8]) {
    exchange = nil
    self.bytes = bytes
  }

  /// Reads the next piece; nil at the end.
  /// - Throws: `Errno` when the connection breaks.
  func next() async throws -> [UInt8]? {
    guard !hasEnded else { return nil }
    isHeldBack = false
    (bytes, hasEnded) = try await exchange?.readBody(upTo: 256 << 10) ?? (bytes, true)
    return bytes
  }

  /// Reads all that is left.
  /// - Throws: `TooLong` when it is more than `limit` bytes; else as `next()`.
  func collect(limit: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try await next() {
      bytes += piece
      guard bytes.count <= limit else { throw TooLong() }
    }
    return bytes
  }

  /// Reads and forgets all that is left, so that the next request can be found.
  /// - Throws: As `next()`.
  func drain() async throws {
    while try await next() != nil {}
  }
}
