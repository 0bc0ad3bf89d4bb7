import FlyingSocks
import Foundation
import Glibc

/// A server on 127.0.0.1 that says on each connection what a test scripts, at the moment that the test chooses.
public final class ScriptedServer: Sendable {
  /// Scheme, host and port.
  public let origin: String
  private let socket: Socket

  /// Listens on a free port; each connection runs the script on a thread of its own and is closed when the script ends.
  /// - Throws: `SocketError` when it can't listen.
  public init(_ script: @escaping @Sendable (LoopbackConnection) throws -> Void) throws {
    let socket = try Socket(domain: AF_INET)
    try socket.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: 0))
    try socket.listen()
    guard case .ip4(_, let port) = try socket.sockname() else { throw SocketError.unsupportedAddress }
    // What the tests start must not hold connections of other tests open.
    _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
    self.socket = socket
    origin = "http://127.0.0.1:\(port)"
    Thread.detachNewThread {
      while let (file, _) = try? socket.accept() {
        _ = fcntl(file.rawValue, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread {
          let connection = LoopbackConnection(Socket(file: file))
          // A script that fails closes the connection, which the program under test sees.
          try? script(connection)
          // The end is sent also where a program that was just being started holds the socket, too.
          shutdown(file.rawValue, Int32(SHUT_RDWR))
          connection.close()
        }
      }
      try? socket.close()
    }
  }

  deinit {
    shutdown(socket.file.rawValue, Int32(SHUT_RDWR))
  }
}
