import Glibc
import SystemPackage

/// A client that sends and receives bytes as they are, over a socket on this machine.
final class RawClient: Sendable {
  let socket: Int32

  /// Connects to a listener.
  init(_ listener: Listener) throws {
    socket = Glibc.socket(listener.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let result = unsafe listener.address.withUnsafeBytes { bytes in
      unsafe bytes.withMemoryRebound(to: sockaddr.self) { address in
        unsafe address.baseAddress.map { unsafe Glibc.connect(socket, $0, socklen_t(listener.address.count)) } ?? -1
      }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
    // A test that would wait forever fails.
    var time = timeval(tv_sec: 30, tv_usec: 0)
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(socket) }

  /// Sends bytes; stops silently if the server has closed the connection.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends a text.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Ends the output.
  func closeOutput() { shutdown(socket, Int32(SHUT_WR)) }

  /// Sends bytes that may be more than the kernel buffers.
  func sendAll(_ bytes: [UInt8]) async { _ = await onThread { self.send(bytes) } }

  /// Receives at most 64 KiB.
  ///
  /// - Returns: nil at the end of the connection.
  /// - Throws: `Errno`; `resourceTemporarilyUnavailable` after 30 s.
  func receive() async throws -> [UInt8]? { try await onThread { Result { try self.receivePiece() } }.get() }

  /// Receives until the server closes the connection. A reset counts as its end, too.
  func receiveAll() async throws -> String {
    try await onThread {
      Result {
        var bytes: [UInt8] = []
        do {
          while let piece = try self.receivePiece() { bytes += piece }
        } catch Errno.connectionReset {}
        return String(decoding: bytes, as: UTF8.self)
      }
    }.get()
  }

  /// Receives until a text has arrived.
  func receive(until text: String) async throws -> String {
    var bytes: [UInt8] = []
    while let piece = try await receive() {
      bytes += piece
      let all = String(decoding: bytes, as: UTF8.self)
      if all.contains(text) { return all }
    }
    throw Errno.brokenPipe
  }

  private func receivePiece() throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return count == 0 ? nil : Array(buffer[..<count])
  }
}

/// A listening socket on this machine.
struct Listener: Sendable {
  let descriptor: FileDescriptor
  let family: Int32
  let address: [UInt8]

  /// Listens on 127.0.0.1 or ::1, on a free port.
  static func tcp(_ family: Int32 = AF_INET) throws -> Listener {
    var address = [UInt8](repeating: 0, count: family == AF_INET ? 16 : 28)
    address[0] = UInt8(family)
    if family == AF_INET { address[4..<8] = [127, 0, 0, 1] } else { address[23] = 1 }
    return try Listener(family, address)
  }

  /// Listens on a Unix socket without a file (unix(7), abstract).
  static func unix() throws -> Listener {
    let name = "authctl-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    return try Listener(AF_UNIX, [UInt8(AF_UNIX), 0, 0] + Array(name.utf8))
  }

  private init(_ family: Int32, _ address: [UInt8]) throws {
    let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = address
    var size = socklen_t(address.count)
    let result = unsafe address.withUnsafeMutableBytes { bytes in
      unsafe bytes.withMemoryRebound(to: sockaddr.self) { place in
        guard let place = place.baseAddress, unsafe bind(socket, place, size) == 0, listen(socket, 128) == 0
        else { return Int32(-1) }
        return unsafe getsockname(socket, place, &size)
      }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
    (descriptor, self.family, self.address) = (FileDescriptor(rawValue: socket), family, address)
  }

  /// The address of an IPv4 listener as it is in IPv6.
  var mapped: Listener {
    var bytes = [UInt8](repeating: 0, count: 28)
    bytes[0] = UInt8(AF_INET6)
    bytes[2..<4] = address[2..<4]
    bytes[18..<20] = [0xFF, 0xFF]
    bytes[20..<24] = address[4..<8]
    return Listener(descriptor, AF_INET6, bytes)
  }

  private init(_ descriptor: FileDescriptor, _ family: Int32, _ address: [UInt8]) {
    (self.descriptor, self.family, self.address) = (descriptor, family, address)
  }
}
