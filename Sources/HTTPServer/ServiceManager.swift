import Glibc
package import SystemPackage

/// The service manager that has started this process, if one has: systemd, or what speaks its protocol.
package struct ServiceManager: Sendable {
  private let environment: [String: String]

  /// Reads the variables `LISTEN_PID`, `LISTEN_FDS` and `NOTIFY_SOCKET`.
  package init(environment: [String: String]) { self.environment = environment }

  /// Returns the sockets that it has opened for this process (sd_listen_fds(3)). A process that this one starts does
  /// not get them. A number that is no number is one socket that is not open.
  package func sockets() -> [FileDescriptor] {
    guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(),
      let text = environment["LISTEN_FDS"]
    else { return [] }
    guard let count = Int32(text), 0...1000 ~= count else { return [FileDescriptor(rawValue: -1)] }
    return (0..<count).map { index in
      let socket = FileDescriptor(rawValue: 3 + index)
      // A number without a file is reported when it is used.
      _ = fcntl(socket.rawValue, F_SETFD, FD_CLOEXEC)
      return socket
    }
  }

  /// Tells it the state of this process (sd_notify(3)): `READY=1`. Without a service manager, nothing happens.
  ///
  /// - Throws: `Errno`.
  package func notify(_ state: String) throws(Errno) {
    guard let path = environment["NOTIFY_SOCKET"], path.utf8.count > 1 else { return }
    var name = Array(path.utf8)
    guard name[0] == UInt8(ascii: "/") || name[0] == UInt8(ascii: "@") else { throw .notSupported }
    // An abstract name begins with 0 instead (unix(7)).
    if name[0] == UInt8(ascii: "@") { name[0] = 0 }
    try ListeningSocket.send(Array(state.utf8), toUnixSocket: name)
  }

  /// The time for `MONOTONIC_USEC`, in microseconds.
  package static var microseconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
