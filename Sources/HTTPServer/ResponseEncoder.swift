import AuthCore
import NIOCore
import SystemPackage

/// Writes a response as bytes, and adds its framing (RFC 9112, section 6).
struct ResponseEncoder {
  private enum Framing {
    case none
    case length(Int64)
    case chunked
    case untilClose
  }

  private let method: String
  private let isHTTP10: Bool
  private var framing = Framing.none
  /// Whether the connection is closed after the response.
  private(set) var closes: Bool

  /// Creates an encoder for the response to a request.
  init(method: String, isHTTP10: Bool, closes: Bool) {
    self.method = method
    self.isHTTP10 = isHTTP10
    self.closes = closes
  }

  /// Makes the response the last one of its connection.
  mutating func close() { closes = true }

  /// Writes the head. Fields for the connection and for the framing are written by the server only, except
  /// `Content-Length`.
  ///
  /// - Throws: `Errno.invalidArgument` for a status below 200, a malformed field, or an invalid or second
  ///   `Content-Length`; nothing is written then.
  mutating func writeHead(
    status: Int, fields: [ServerRequest.Field], to buffer: inout ByteBuffer
  ) throws(Errno) {
    // RFC 9110, section 9.3.6: a 2xx response to CONNECT would open a tunnel.
    guard (200...599).contains(status), method != "CONNECT" || status >= 300 else { throw .invalidArgument }
    guard fields.allSatisfy(isValid) else { throw .invalidArgument }
    let own = fields.filter(isForwarded)
    closes = closes || fields.contains { isClose($0) }
    framing = try framing(status: status, fields: own)
    if case .untilClose = framing { closes = true }
    buffer.writeString("HTTP/1.1 \(status) \(ReasonPhrase.standard(for: status))\r\n")
    for field in own { write(field, to: &buffer) }
    if case .chunked = framing { buffer.writeString("Transfer-Encoding: chunked\r\n") }
    if closes {
      buffer.writeString("Connection: close\r\n")
    } else if isHTTP10 {
      buffer.writeString("Connection: keep-alive\r\n")
    }
    buffer.writeString("\r\n")
  }

  /// Writes bytes of the body; nothing for a response without a body.
  ///
  /// - Throws: `Errno.invalidArgument` if the body becomes longer than its `Content-Length`.
  mutating func writeBody(_ bytes: [UInt8], to buffer: inout ByteBuffer) throws(Errno) {
    guard !bytes.isEmpty else { return }
    switch framing {
    case .none: return
    case .length(let left):
      guard bytes.count <= left else { throw .invalidArgument }
      framing = .length(left - Int64(bytes.count))
      buffer.writeBytes(bytes)
    case .chunked:
      buffer.writeString(String(bytes.count, radix: 16) + "\r\n")
      buffer.writeBytes(bytes)
      buffer.writeString("\r\n")
    case .untilClose: buffer.writeBytes(bytes)
    }
  }

  /// Writes the end of the body.
  ///
  /// - Throws: `Errno.invalidArgument` if the body is shorter than its `Content-Length`.
  mutating func writeEnd(to buffer: inout ByteBuffer) throws(Errno) {
    switch framing {
    case .none, .untilClose: return
    case .length(let left): guard left == 0 else { throw .invalidArgument }
    case .chunked: buffer.writeString("0\r\n\r\n")
    }
  }

  private func write(_ field: ServerRequest.Field, to buffer: inout ByteBuffer) {
    buffer.writeString(field.name)
    buffer.writeStaticString(": ")
    buffer.writeString(field.value)
    buffer.writeStaticString("\r\n")
  }

  private func isValid(_ field: ServerRequest.Field) -> Bool {
    FieldSyntax.isToken(field.name.utf8) && field.value.utf8.allSatisfy(FieldSyntax.isValue)
  }

  private func isForwarded(_ field: ServerRequest.Field) -> Bool {
    switch field.name.utf8.count {
    case 7: return !FieldSyntax.isEqual(field.name, "trailer") && !FieldSyntax.isEqual(field.name, "upgrade")
    case 10: return !FieldSyntax.isEqual(field.name, "connection") && !FieldSyntax.isEqual(field.name, "keep-alive")
    case 17: return !FieldSyntax.isEqual(field.name, "transfer-encoding")
    default: return true
    }
  }

  private func isClose(_ field: ServerRequest.Field) -> Bool {
    FieldSyntax.isEqual(field.name, "connection") && FieldSyntax.list(field.value).contains("close")  // own text
  }

  private func framing(status: Int, fields: [ServerRequest.Field]) throws(Errno) -> Framing {
    let lengths = fields.filter { FieldSyntax.isEqual($0.name, "content-length") }.map(\.value)
    guard lengths.count <= 1 else { throw .invalidArgument }
    let length = lengths.first.flatMap { $0.utf8.allSatisfy(FieldSyntax.isDigit) ? Int64($0) : nil }
    guard lengths.isEmpty || length != nil && status != 204 else { throw .invalidArgument }
    if method == "HEAD" || status == 204 || status == 304 { return .none }
    if let length { return .length(length) }
    return isHTTP10 ? .untilClose : .chunked
  }
}
