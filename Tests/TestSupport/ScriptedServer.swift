import Foundation
import Glibc
import Synchronization

/// A server on 127.0.0.1 that says on each connection what a test scripts, at the moment that the test chooses.
public final class ScriptedServer: Sendable {
  /// The port it listens on.
  public let port: Int

  private let listener: Int32
  private let opened = Mutex(0)

  /// How many connections were accepted so far.
  public var connections: Int { opened.withLock { $0 } }

  /// The base of the server's URLs, without a slash at the end.
  public var base: String { "http://127.0.0.1:\(port)" }

  /// Listens on a free port; each connection runs the script on a thread of its own and is closed when the script ends.
  ///
  /// - Parameters:
  ///   - window: about how many bytes the kernel takes for a script that reads nothing; nil for what it takes anyway.
  ///   - script: what happens on a connection.
  /// - Throws: `POSIXError` if it can't listen.
  public init(window: Int32? = nil, _ script: @escaping @Sendable (Peer) throws -> Void) throws {
    // A client that speaks TLS to it writes to a closed connection: OpenSSL does so without MSG_NOSIGNAL.
    _ = signal(SIGPIPE, SIG_IGN)
    // Programs that the tests start must not hold connections of other tests open.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    if var window {
      _ = unsafe setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in.loopback(port: 0)
    let failure = unsafe address.pass { place, length in
      var size = length
      return unsafe bind(listener, place, length) | listen(listener, 64) | getsockname(listener, place, &size)
    }
    guard failure == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(UInt16(bigEndian: address.sin_port))
    self.listener = listener
    Thread.detachNewThread { [weak self, port] in
      while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else {
          close(listener)
          return
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        self?.opened.withLock { $0 += 1 }
        Thread.detachNewThread {
          let peer = Peer(socket, port)
          // A script that fails closes the connection, which the client under test sees.
          try? script(peer)
          // The end is sent also if a program that was just being started holds the socket, too.
          shutdown(socket, Int32(SHUT_RDWR))
          peer.close()
        }
      }
    }
  }

  /// Stops listening. A server that isn't stopped listens until the process ends.
  public func stop() {
    // The accepting thread closes it: a number that is free would be another server's by the time it is used there.
    shutdown(listener, Int32(SHUT_RDWR))
  }
}

/// The server's end of one connection.
public final class Peer {
  /// The other end is gone.
  public struct Gone: Error {}

  /// The port of the server.
  public let port: Int
  private let socket: Int32
  private var rest: [UInt8] = []

  init(_ socket: Int32, _ port: Int) {
    self.socket = socket
    self.port = port
  }

  /// Lets the kernel take as much as it does by itself, after a small window.
  public func widenWindow() {
    var size: Int32 = 1 << 17
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Reads a request's header, its empty line included.
  public func head() throws -> String {
    while true {
      if let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
        defer { rest.removeSubrange(..<end.upperBound) }
        return String(decoding: rest[..<end.upperBound], as: UTF8.self)
      }
      try more()
    }
  }

  /// Reads this many bytes.
  public func bytes(_ count: Int) throws -> [UInt8] {
    while rest.count < count { try more() }
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Reads chunks up to the last one and gives their content.
  public func chunks() throws -> [UInt8] {
    var content: [UInt8] = []
    while true {
      while rest.firstRange(of: Array("\r\n".utf8)) == nil { try more() }
      guard let end = rest.firstRange(of: Array("\r\n".utf8)) else { throw Gone() }
      guard let count = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16) else { throw Gone() }
      rest.removeSubrange(..<end.upperBound)
      content += try bytes(count)
      _ = try bytes(2)
      if count == 0 { return content }
    }
  }

  /// Reads until the client closes; what came.
  public func rests() -> [UInt8] {
    while (try? more()) != nil {}
    return rest
  }

  /// Sends text; its line ends are sent as CRLF.
  public func send(_ text: String) throws {
    try send(Array(text.replacingOccurrences(of: "\n", with: "\r\n").utf8))
  }

  /// Sends bytes.
  public func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { part in
        unsafe Foundation.send(socket, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Gone() }
      sent += count
    }
  }

  /// Closes the connection.
  public func close() {
    Foundation.close(socket)
  }

  private func more() throws {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = unsafe recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { throw Gone() }
    rest += buffer[..<count]
  }
}
