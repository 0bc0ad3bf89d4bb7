import FlyingSocks
import Foundation

/// One accepted connection as buffered bytes, waiting on the pool whenever the socket has none.
final class ByteStream {
  private let socket: Socket
  private let pool: SocketPool<ePoll>
  private var buffer: [UInt8] = []
  private var position = 0

  /// The most bytes that one read takes from the socket.
  private static let readSize = 256 * 1024
  /// The longest head that is read.
  private static let longestHead = 256 * 1024

  /// Wraps a non-blocking socket.
  init(socket: Socket, pool: SocketPool<ePoll>) {
    self.socket = socket
    self.pool = pool
  }

  /// Reads lines up to the empty one that ends a head or a trailer; nil when the peer closed before the first byte.
  /// - Throws: `ProtocolError` when the head is too long, `SocketError` when the connection breaks.
  func readHead() async throws -> [String]? {
    var lines: [String] = []
    var length = 0
    do {
      while let line = try await readLine(), !line.isEmpty || lines.isEmpty {
        // Empty lines before a request are ignored (RFC 9112, section 2.2).
        if !line.isEmpty { lines.append(line) }
        length += line.utf8.count
        guard length <= Self.longestHead else { throw ProtocolError(status: 431, reason: "The head is too long.") }
      }
    } catch SocketError.disconnected where lines.isEmpty && position == buffer.count {
      return nil
    }
    return lines
  }

  /// Reads a line without its end.
  /// - Throws: `ProtocolError` when it is too long, `SocketError` when the connection breaks.
  func readLine() async throws -> String? {
    var searched = 0
    while true {
      if let end = buffer[(position + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[position..<end]
        position = end + 1
        return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
      }
      searched = buffer.count - position
      guard searched <= Self.longestHead else { throw ProtocolError(status: 431, reason: "The head is too long.") }
      try await fill()
    }
  }

  /// Reads at least one byte and at most `count`.
  /// - Throws: `SocketError` when the connection breaks.
  func read(atMost count: Int) async throws -> [UInt8] {
    if position == buffer.count { try await fill() }
    if position == 0 && buffer.count <= count {
      defer { buffer = [] }
      return buffer
    }
    let end = min(buffer.count, position + count)
    defer { position = end }
    return Array(buffer[position..<end])
  }

  /// Writes all bytes.
  /// - Throws: `SocketError` when the connection breaks.
  func write(_ data: Data) async throws {
    var sent = data.startIndex
    while sent < data.endIndex {
      do {
        sent = try socket.write(data, from: sent)
      } catch SocketError.blocked {
        try await pool.suspendSocket(socket, untilReadyFor: .write)
      }
    }
  }

  /// Reads and forgets until the peer closes.
  /// - Throws: `SocketError` when the connection breaks.
  func waitForEnd() async throws {
    do {
      while true { _ = try await read(atMost: Self.readSize) }
    } catch SocketError.disconnected {
      return
    }
  }

  private func fill() async throws {
    if position == buffer.count {
      buffer = try await receive()
      position = 0
    } else {
      buffer = try await Array(buffer[position...]) + receive()
      position = 0
    }
  }

  private func receive() async throws -> [UInt8] {
    while true {
      do {
        return try socket.read(atMost: Self.readSize)
      } catch SocketError.blocked {
        try await pool.suspendSocket(socket, untilReadyFor: .read)
      }
    }
  }
}
