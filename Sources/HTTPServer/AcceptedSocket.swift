import CSockets
import Glibc
import SystemPackage

/// A socket that has been accepted.
struct AcceptedSocket: Sendable {
  /// The socket. Its owner closes it.
  let descriptor: FileDescriptor
  /// The index of the listening socket.
  let listener: Int
  /// Whether it is a Unix socket.
  let isUnixSocket: Bool
  private let remote: Endpoint?
  private let local: Endpoint?

  /// Accepts a connection. The new socket is closed when the process runs another program: NIO's own `accept` does not
  /// set this, and a child process could keep the connection open.
  ///
  /// - Throws: `Errno`; `wouldBlock` if there is no connection.
  init(from socket: FileDescriptor, listener: Int) throws(Errno) {
    let accepted = csockets_accept(socket.rawValue)
    guard accepted >= 0 else { throw Errno(rawValue: -accepted) }
    descriptor = FileDescriptor(rawValue: accepted)
    self.listener = listener
    isUnixSocket = option(SO_DOMAIN, of: accepted, Int32(0)) == AF_UNIX
    remote = isUnixSocket ? nil : Endpoint.remote(of: descriptor)
    local = isUnixSocket ? nil : Endpoint.local(of: descriptor)
  }

  /// Returns the process at the other end. Must be called before the socket is closed.
  func peer() -> ServerPeer {
    if isUnixSocket {
      let uid = option(SO_PEERCRED, of: descriptor.rawValue, PeerCredentials())?.uid
      return ServerPeer(uid: uid, isUnixSocket: true, description: "Unix socket, \(user(uid))")
    }
    guard let remote, let local else {
      return ServerPeer(uid: nil, isUnixSocket: false, description: "unknown address")
    }
    let uid = PeerLookup(remote: remote, local: local)?.uid
    return ServerPeer(uid: uid, isUnixSocket: false, description: "\(remote.description), \(user(uid))")
  }

  /// Returns whether no process has the other end of a TCP connection any more.
  func isPeerGone() -> Bool {
    guard let remote, let local, let peer = PeerLookup(remote: remote, local: local) else { return false }
    return peer.uid == nil
  }

  /// Makes the kernel reset the connection when it is closed. Must be called before the socket is closed.
  func resetOnClose() {
    var value = linger(l_onoff: 1, l_linger: 0)
    // Without the option, the connection is closed normally.
    _ = unsafe setsockopt(
      descriptor.rawValue, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
  }

  private func user(_ uid: UInt32?) -> String { uid.map { "user \($0)" } ?? "unknown user" }
}

/// `struct ucred` (unix(7)), which the C library declares for GNU sources only.
private struct PeerCredentials: BitwiseCopyable {
  var pid: Int32 = 0
  var uid: UInt32 = 0
  var gid: UInt32 = 0
}

/// Returns a socket option; nil if the kernel refuses it.
func option<Value: BitwiseCopyable>(_ name: Int32, of socket: Int32, _ initial: Value) -> Value? {
  var value = initial
  var size = socklen_t(MemoryLayout<Value>.size)
  let result = unsafe getsockopt(socket, SOL_SOCKET, name, &value, &size)
  return result == 0 && size == MemoryLayout<Value>.size ? value : nil
}
