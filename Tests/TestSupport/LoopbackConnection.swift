import FlyingSocks
public import Foundation

/// One blocking connection to a server on 127.0.0.1, for requests whose very bytes matter.
public struct LoopbackConnection: Sendable {
  private let socket: Socket

  /// Connects. Reads give up after `timeout` seconds.
  /// - Throws: `SocketError` if the connection is refused.
  public init(port: UInt16, timeout: Int = 600) throws {
    socket = try Socket(domain: AF_INET)
    try socket.setValue(timeout, for: ReceiveTimeout())
    try socket.connect(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
  }

  /// Writes text; its line ends are sent as CRLF.
  /// - Throws: `SocketError` when the connection is broken.
  public func write(_ text: String) throws {
    try write(Data(text.replacingOccurrences(of: "\n", with: "\r\n").utf8))
  }

  /// Writes bytes as they are.
  /// - Throws: `SocketError` when the connection is broken.
  public func write(_ data: Data) throws {
    var sent = data.startIndex
    while sent < data.endIndex { sent = try socket.write(data, from: sent) }
  }

  /// Writes a request that is the last one of its connection.
  /// - Throws: `SocketError` when the connection is broken.
  public func write(method: String, path: String, headers: [(name: String, value: String)], body: Data?) throws {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    try write(Data((head + "\r\n").utf8) + (body ?? Data()))
  }

  /// Reads until the server closes.
  /// - Throws: `AuthlabError.silent` after the time-out, `SocketError` when the connection breaks.
  public func readToEnd() throws -> Data {
    var data = Data()
    do {
      while true { data += try socket.read(atMost: 65536) }
    } catch SocketError.disconnected {
      return data
    } catch SocketError.blocked {
      throw AuthlabError.silent
    }
  }

  /// Reads one response with a `Content-Length`, up to the end of the connection.
  /// - Throws: `AuthlabError.cutOff` when it is not whole, else as `readToEnd()`.
  public func readResponse() throws -> LoopbackResponse {
    let data = try readToEnd()
    guard let end = data.firstRange(of: Data("\r\n\r\n".utf8)) else { throw AuthlabError.cutOff(bytes: data.count) }
    let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      return (name: parts.first ?? "", value: parts.count > 1 ? parts[1] : "")
    }
    let statusWords = lines.first?.split(separator: " ") ?? []
    let body = Data(data[end.upperBound...])
    let response = LoopbackResponse(
      status: statusWords.count > 1 ? Int(statusWords[1]) ?? 0 : 0, headers: headers, body: body)
    if let length = response.header("content-length").flatMap({ Int($0) }), length != body.count {
      throw AuthlabError.cutOff(bytes: data.count)
    }
    return response
  }

  /// Closes the connection.
  public func close() {
    do {
      try socket.close()
    } catch {
      // Closing a descriptor that we own can't fail in a way that a test could fix.
      assertionFailure("\(error)")
    }
  }
}

/// `SO_RCVTIMEO`, in seconds.
private struct ReceiveTimeout: SocketOption {
  let name = SO_RCVTIMEO

  func makeValue(from socketValue: timeval) -> Int { socketValue.tv_sec }

  func makeSocketValue(from value: Int) -> timeval { timeval(tv_sec: value, tv_usec: 0) }
}
