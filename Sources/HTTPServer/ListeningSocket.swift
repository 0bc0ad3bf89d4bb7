import CSockets
import Glibc
package import SystemPackage

/// Opens the listening sockets of a server for this machine. They are closed when the process runs another program.
package enum ListeningSocket {
  /// The loopback address of an IP version.
  package enum Loopback: Sendable {
    /// 127.0.0.1
    case ip4
    /// ::1
    case ip6
  }

  /// Lets the process have as many open files as connections of the server and their handlers need.
  package static func allowFiles(_ count: Int) { csockets_allow_files(UInt(count)) }

  /// Listens on the loopback interface.
  ///
  /// - Parameter port: the port; 0 for a free one.
  /// - Returns: the socket and its port.
  /// - Throws: `Errno`; `addressInUse` if another process has the port.
  package static func tcp(_ address: Loopback, port: UInt16) throws(Errno) -> (FileDescriptor, port: UInt16) {
    let family = address == .ip4 ? AF_INET : AF_INET6
    // struct sockaddr_in and sockaddr_in6 (ip(7), ipv6(7)): the family, the port, and the address.
    var place = [UInt8](repeating: 0, count: family == AF_INET ? 16 : 28)
    setFamily(family, of: &place)
    place[2] = UInt8(port >> 8)
    place[3] = UInt8(port & 0xFF)
    if family == AF_INET { place[4..<8] = [127, 0, 0, 1] } else { place[23] = 1 }
    let socket = try listening(family, at: place)
    var size = socklen_t(place.count)
    let result = unsafe withAddress(&place) { unsafe getsockname(socket.rawValue, $0, &size) }
    guard result == 0 else { throw Errno(rawValue: errno) }
    return (socket, UInt16(place[2]) << 8 | UInt16(place[3]))
  }

  /// Listens on a Unix socket. A file that a former process has left is replaced.
  ///
  /// - Parameters:
  ///   - path: the path, of at most 107 bytes.
  ///   - mode: the permissions of the file. It never has more.
  /// - Throws: `Errno`; `addressInUse` if another process listens there, or the file is no socket.
  package static func unix(_ path: FilePath, mode: FilePermissions) throws(Errno) -> FileDescriptor {
    let place = try unixAddress(Array(path.string.utf8))
    if isSocket(path), isStale(place) { _ = unsafe path.withPlatformString { unsafe unlink($0) } }
    // The file has its permissions from its first moment on.
    let former = umask(~mode.rawValue & 0o777)
    defer { umask(former) }
    return try listening(AF_UNIX, at: place)
  }

  /// Where a socket listens that another process has opened.
  package enum Place: Sendable, Equatable {
    /// A loopback address, as in a URL, and a port.
    case loopback(host: String, port: UInt16)
    /// The path of a Unix socket; with `@` before an abstract name.
    case unix(String)
    /// An address that other machines can reach, or a socket that does not listen for connections.
    case unusable
  }

  /// Returns where an open socket listens.
  package static func place(of socket: FileDescriptor) -> Place {
    let (isListening, type) = (
      option(SO_ACCEPTCONN, of: socket.rawValue, Int32(0)), option(SO_TYPE, of: socket.rawValue, Int32(0))
    )
    guard isListening == 1, type == Int32(SOCK_STREAM.rawValue) else { return .unusable }
    if let local = Endpoint.local(of: socket) {
      return local.isLoopback ? .loopback(host: local.host, port: local.port) : .unusable
    }
    var place = [UInt8](repeating: 0, count: 110)
    var size = socklen_t(place.count)
    let result = unsafe withAddress(&place) { unsafe getsockname(socket.rawValue, $0, &size) }
    guard result == 0, Int32(place[0]) == AF_UNIX, size > 3 else { return .unusable }
    let name: [UInt8] = Array(place[2..<min(Int(size), place.count)])
    let isAbstract = name.first == 0
    let text = String(decoding: isAbstract ? name[1...] : name.prefix { $0 != 0 }, as: UTF8.self)
    return .unix((isAbstract ? "@" : "") + text)
  }

  /// Sends a datagram to a Unix socket.
  static func send(_ bytes: [UInt8], toUnixSocket name: [UInt8]) throws(Errno) {
    let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    defer { close(number) }
    var place = try unixAddress(name)
    // The family, and the name without the zeros after it, which would be part of an abstract one.
    let size = socklen_t(2 + name.count)
    let sent = unsafe withAddress(&place) { address in
      unsafe bytes.withUnsafeBytes { Int32(unsafe sendto(number, $0.baseAddress, $0.count, 0, address, size)) }
    }
    guard sent == Int32(bytes.count) else { throw Errno(rawValue: errno) }
  }

  /// `struct sockaddr_un` (unix(7)): the family, and the name.
  private static func unixAddress(_ name: [UInt8]) throws(Errno) -> [UInt8] {
    guard name.count < 108 else { throw .fileNameTooLong }
    var place = [UInt8](repeating: 0, count: 110)
    setFamily(AF_UNIX, of: &place)
    place.replaceSubrange(2..<2 + name.count, with: name)
    return place
  }

  /// Whether the file is a socket: connecting to any other file is refused, too.
  private static func isSocket(_ path: FilePath) -> Bool {
    var status = stat()
    return unsafe path.withPlatformString { unsafe lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Whether a socket at that path has no process that listens.
  private static func isStale(_ place: [UInt8]) -> Bool {
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard probe >= 0 else { return false }
    defer { close(probe) }
    var place = place
    let size = socklen_t(place.count)
    return unsafe withAddress(&place) { unsafe connect(probe, $0, size) } != 0 && errno == ECONNREFUSED
  }

  private static func listening(_ family: Int32, at place: [UInt8]) throws(Errno) -> FileDescriptor {
    let number = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    var isOn: Int32 = 1
    // A port that was in use until a moment ago is free.
    _ = unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var place = place
    let size = socklen_t(place.count)
    guard unsafe withAddress(&place, { unsafe bind(number, $0, size) }) == 0, listen(number, 1024) == 0 else {
      let error = Errno(rawValue: errno)
      close(number)
      throw error
    }
    return FileDescriptor(rawValue: number)
  }

  private static func setFamily(_ family: Int32, of place: inout [UInt8]) {
    unsafe withUnsafeBytes(of: sa_family_t(family)) { unsafe place.replaceSubrange(0..<2, with: $0) }
  }

  private static func withAddress(_ place: inout [UInt8], _ call: (UnsafeMutablePointer<sockaddr>?) -> Int32) -> Int32 {
    unsafe place.withUnsafeMutableBytes { bytes in
      unsafe bytes.withMemoryRebound(to: sockaddr.self) { unsafe call($0.baseAddress) }
    }
  }
}
