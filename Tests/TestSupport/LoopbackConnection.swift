public import Foundation
import Glibc
import SystemPackage

/// One blocking connection to a server on 127.0.0.1, for requests whose very bytes matter.
public struct LoopbackConnection: Sendable {
  private let socket: Int32

  /// Connects. Reads give up after `timeout` seconds.
  /// - Throws: `Errno` if the connection is refused.
  public init(port: UInt16, timeout: Int = 600) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var time = timeval(tv_sec: timeout, tv_usec: 0)
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in.loopback(port: port)
    guard unsafe address.pass({ unsafe Glibc.connect(socket, $0, $1) }) == 0 else {
      let error = Errno(rawValue: errno)
      Glibc.close(socket)
      throw error
    }
  }

  /// Writes text; its line ends are sent as CRLF.
  /// - Throws: `Errno` when the connection is broken.
  public func write(_ text: String) throws {
    try write(Data(text.replacingOccurrences(of: "\n", with: "\r\n").utf8))
  }

  /// Writes bytes as they are.
  /// - Throws: `Errno` when the connection is broken.
  public func write(_ data: Data) throws {
    var rest = data[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Errno(rawValue: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes a request that is the last one of its connection.
  /// - Throws: `Errno` when the connection is broken.
  public func write(method: String, path: String, headers: [(name: String, value: String)], body: Data?) throws {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    try write(Data((head + "\r\n").utf8) + (body ?? Data()))
  }

  /// Reads until the server closes.
  /// - Throws: `AuthlabError.silent` after the time-out, `Errno` when the connection breaks.
  public func readToEnd() throws -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe recv(socket, &buffer, buffer.count, 0)
      guard count >= 0 else { throw errno == EAGAIN ? AuthlabError.silent : Errno(rawValue: errno) }
      guard count > 0 else { return data }
      data += buffer[..<count]
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
  public func close() { Glibc.close(socket) }
}

extension sockaddr_in {
  /// An address on 127.0.0.1.
  static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// Passes the address to a function of the C library.
  mutating func pass(_ call: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    unsafe withUnsafeMutablePointer(to: &self) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
