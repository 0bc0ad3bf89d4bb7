import AuthCore
import Glibc

/// The control socket of gnome-keyring-daemon, by which PAM unlocks the login keyring.
///
/// A request is one byte, with which the daemon reads the client's user id, then numbers of four bytes, most
/// significant first: the length of the rest, the operation, the length of the password; then the password. The
/// response has two such numbers: 8, its length, and the result.
struct ControlSocket {
  /// The path of the socket.
  let path: String
  /// The time to take a request, and to respond to it.
  let patience: Duration

  private static let unlockOperation: UInt32 = 1

  /// Whether the socket belongs to the user, and a process listens at it.
  var isServed: Bool {
    guard let descriptor = connected() else { return false }
    close(descriptor)
    return true
  }

  /// Unlocks the login keyring; creates it if it does not exist.
  ///
  /// - Throws: ``ServiceFailure``.
  func unlockLogin(with password: Secret) throws(ServiceFailure) {
    guard let descriptor = connected() else {
      throw ServiceFailure(.refused, detail: "its control socket does not respond")
    }
    defer { close(descriptor) }
    let text = Array(password.exposed.utf8)
    let numbers = [UInt32(12 + text.count), Self.unlockOperation, UInt32(text.count)]
    guard send([0] + numbers.flatMap(Self.bytes) + text, to: descriptor) else {
      throw ServiceFailure(.refused, detail: "its control socket does not take the request")
    }
    switch response(from: descriptor) {
    case Self.bytes(8) + Self.bytes(0): return
    case Self.bytes(8) + Self.bytes(1): throw .wrongPassword
    case []: throw ServiceFailure(.timedOut)
    default: throw ServiceFailure(.refused, detail: "its control socket reports a failure")
    }
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  /// Returns a descriptor of a connection; nil if the socket is another user's, or no process listens.
  private func connected() -> Int32? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_uid == geteuid() else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      guard path.utf8.count < bytes.count else { return false }
      unsafe bytes.copyBytes(from: path.utf8)
      return true
    }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    // Zero would be no limit.
    var limit = timeval(tv_sec: max(1, Int(patience.components.seconds)), tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    let isLimited = [SO_RCVTIMEO, SO_SNDTIMEO].allSatisfy {
      unsafe setsockopt(descriptor, SOL_SOCKET, $0, &limit, size) == 0
    }
    let outcome = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard fits, isLimited, outcome == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Returns what is sent back, 8 bytes at most; less if nothing more arrives in time.
  private func response(from descriptor: Int32) -> [UInt8] {
    var all: [UInt8] = []
    while all.count < 8 {
      var bytes = [UInt8](repeating: 0, count: 8 - all.count)
      let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      all += bytes.prefix(count)
    }
    return all
  }
}

extension ServiceFailure {
  /// The service refuses the password.
  static let wrongPassword = ServiceFailure(
    .locked, reason: "the password is wrong", hint: "check the password; the keyring is unchanged and still locked")
}
