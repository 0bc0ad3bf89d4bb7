import Glibc
import SystemPackage

/// An IP address and a port, in the forms of the kernel's tables (proc(5), `/proc/net/tcp`): words of 32 bits in the
/// byte order of the processor.
struct Endpoint: Sendable {
  /// The form in the table of IPv6.
  let ip6: String
  /// The form in the table of IPv4; nil for an IPv6 address.
  let ip4: String?
  /// The address as in a URL.
  let host: String
  /// The port.
  let port: UInt16
  /// The bytes of `struct sockaddr_in` or `sockaddr_in6`.
  let bytes: [UInt8]

  /// The address and the port for people.
  var description: String { "\(host):\(port)" }

  /// Whether only this machine can reach it.
  var isLoopback: Bool { host == "[::1]" || host.utf8.starts(with: "127.".utf8) }

  /// The first three words of an IPv4 address in IPv6 (RFC 4291, section 2.5.5.2).
  private static let mapped = "0000000000000000" + hex([0, 0, 0xFF, 0xFF])

  /// Returns the address of the other end of a socket; nil if it is not an IP socket.
  static func remote(of socket: SystemPackage.FileDescriptor) -> Endpoint? {
    unsafe Endpoint { unsafe getpeername(socket.rawValue, $0, $1) }
  }

  /// Returns the own address of a socket; nil if it is not an IP socket.
  static func local(of socket: SystemPackage.FileDescriptor) -> Endpoint? {
    unsafe Endpoint { unsafe getsockname(socket.rawValue, $0, $1) }
  }

  private init?(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
    // `sockaddr_in6` (ipv6(7)) is the longer one: family, port, flow, address, scope.
    var bytes = [UInt8](repeating: 0, count: 28)
    var size = socklen_t(bytes.count)
    let result = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe buffer.withMemoryRebound(to: sockaddr.self) { address in
        unsafe address.baseAddress.map { unsafe fill($0, &size) } ?? -1
      }
    }
    guard result == 0, size >= 8 else { return nil }
    self.bytes = bytes
    port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    let port = Endpoint.padded(String(port, radix: 16, uppercase: true), to: 4)
    switch Int32(bytes[0]) | Int32(bytes[1]) << 8 {
    case AF_INET:
      ip4 = "\(Endpoint.hex(bytes[4..<8])):\(port)"
      ip6 = "\(Endpoint.mapped)\(Endpoint.hex(bytes[4..<8])):\(port)"
      host = bytes[4..<8].map(String.init).joined(separator: ".")
    case AF_INET6 where size >= 24:
      let words = stride(from: 8, to: 24, by: 4).map { Endpoint.hex(bytes[$0..<($0 + 4)]) }.joined()
      let isMapped = words.utf8.starts(with: Endpoint.mapped.utf8)
      ip4 = isMapped ? "\(words.suffix(8)):\(port)" : nil
      ip6 = "\(words):\(port)"
      host = "[\(Endpoint.text(bytes[8..<24]))]"
    default: return nil
    }
  }

  /// Returns a word as the tables have it.
  private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
    let word = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return padded(String(UInt32(littleEndian: word), radix: 16, uppercase: true), to: 8)
  }

  /// Returns an IPv6 address in its full form.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.dropLast().contains(where: { $0 != 0 }) || bytes.last != 1 else { return "::1" }
    let groups = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2)
    return groups.map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
  }

  private static func padded(_ text: String, to count: Int) -> String {
    String(repeating: "0", count: count - text.utf8.count) + text
  }
}
