import Foundation

/// Writes answers to a connection (RFC 9112).
struct ResponseWriter {
  /// The connection.
  let stream: ByteStream
  /// The time for the `Date` header, in seconds since 1970.
  let now: Double

  /// Writes an answer; `HEAD` gets the head only.
  /// - Throws: `SocketError` when the connection breaks.
  func write(_ response: Response, to method: String?, keepsAlive: Bool) async throws {
    let bodiless = method == "HEAD" || response.status == 204 || response.status == 304
    switch response.body {
    case .data(let data):
      let framing = response.status == 204 ? nil : ("Content-Length", "\(data.count)")
      let head = head(of: response, framing: framing, keepsAlive: keepsAlive)
      try await stream.write(bodiless ? head : head + data)
    case .pattern(let count, let chunked):
      let framing = chunked ? ("Transfer-Encoding", "chunked") : ("Content-Length", "\(count)")
      try await stream.write(head(of: response, framing: framing, keepsAlive: keepsAlive))
      if !bodiless { try await writePattern(count: count, chunked: chunked) }
    }
  }

  /// Writes a head that promises more than the half of the body that follows it.
  /// - Throws: `SocketError` when the connection breaks.
  func writeTruncated(_ response: Response) async throws {
    switch response.body {
    case .data(let data):
      let framing = ("Content-Length", "\(max(data.count, 1))")
      try await stream.write(head(of: response, framing: framing, keepsAlive: false) + data.prefix(data.count / 2))
    case .pattern(let count, let chunked):
      let framing = chunked ? ("Transfer-Encoding", "chunked") : ("Content-Length", "\(count)")
      try await stream.write(head(of: response, framing: framing, keepsAlive: false))
      try await writePattern(count: count / 2, chunked: false)
    }
  }

  private func head(of response: Response, framing: (String, String)?, keepsAlive: Bool) -> Data {
    var text = "HTTP/1.1 \(response.status) \(HTTPStatus.reason(response.status))\r\n"
    text += "Date: \(HTTPDate(secondsSince1970: now).text)\r\n"
    for field in response.headers.fields { text += "\(field.name): \(field.value)\r\n" }
    if let framing { text += "\(framing.0): \(framing.1)\r\n" }
    text += keepsAlive ? "\r\n" : "Connection: close\r\n\r\n"
    return Data(text.utf8)
  }

  private func writePattern(count: Int, chunked: Bool) async throws {
    let block = BytePattern.block
    var left = count
    while left > 0 {
      let piece = left < block.count ? Data(block.prefix(left)) : block
      if chunked { try await stream.write(Data("\(String(piece.count, radix: 16))\r\n".utf8)) }
      try await stream.write(piece)
      if chunked { try await stream.write(Data("\r\n".utf8)) }
      left -= piece.count
    }
    if chunked { try await stream.write(Data("0\r\n\r\n".utf8)) }
  }
}
