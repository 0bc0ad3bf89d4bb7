import CSockets
import Glibc
import SystemPackage

/// Looks up the other end of a TCP connection, if it is on this machine: by a question to the kernel, or where it does
/// not answer such questions, in its tables (proc(5), `/proc/net`), which takes longer the more connections there are.
struct PeerLookup {
  /// The user who has opened the socket; nil if no process has it any more. The kernel reports user 0 then.
  let uid: UInt32?

  /// Finds the other end; nil if it is not in the tables of this network namespace.
  init?(remote: Endpoint, local: Endpoint) {
    var user: UInt32 = 0
    switch unsafe csockets_owner(remote.bytes, local.bytes, &user) {
    case 0: self.init(uid: user)
    case 1: self.init(uid: nil)
    case -ENOENT: return nil
    default: self.init(inTables: remote, local)
    }
  }

  private init(uid: UInt32?) { self.uid = uid }

  /// Finds the other end in the tables; nil if it is not in those of this network namespace.
  init?(inTables remote: Endpoint, _ local: Endpoint) {
    for table in PeerLookup.tables(remote, local) {
      guard let line = PeerLookup.line(table.addresses, in: table.path) else { continue }
      // Number, local and remote address, state, queues, timer, retransmits, user, timeout, inode.
      let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      guard words.count > 9 else { return nil }
      uid = words[9] == "0" ? nil : UInt32(words[7])
      return
    }
    return nil
  }

  private static func tables(_ remote: Endpoint, _ local: Endpoint) -> [(path: FilePath, addresses: [UInt8])] {
    // In the entry of the other end, its address is the first one.
    let ip6 = ("/proc/net/tcp6" as FilePath, Array(" \(remote.ip6) \(local.ip6) ".utf8))
    guard let remote = remote.ip4, let local = local.ip4 else { return [ip6] }
    // A program may have an IPv4 connection on an IPv6 socket.
    return [("/proc/net/tcp", Array(" \(remote) \(local) ".utf8)), ip6]
  }

  /// Returns the line of a table that has the addresses after its number.
  private static func line(_ addresses: [UInt8], in path: FilePath) -> ArraySlice<UInt8>? {
    // Without the table, the user is unknown.
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
    defer { try? file.close() }
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while let count = try? unsafe buffer.withUnsafeMutableBytes({ unsafe try file.read(into: $0) }), count > 0 {
      rest += buffer[..<count]
      var lines = rest[...]
      while let end = lines.firstIndex(of: 0x0A) {
        let line = lines[..<end]
        if let colon = line.firstIndex(of: 0x3A), line[(colon + 1)...].starts(with: addresses) { return line }
        lines = lines[(end + 1)...]
      }
      rest = Array(lines)
    }
    return nil
  }
}
