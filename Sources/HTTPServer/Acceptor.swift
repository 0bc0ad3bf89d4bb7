import Glibc
import NIOPosix
import SystemPackage

/// A thread that accepts the connections of the listening sockets.
final class Acceptor: Sendable {
  private let sockets: [SystemPackage.FileDescriptor]
  private let admit: @Sendable (AcceptedSocket) -> Void
  private let thread = NIOThreadPool(numberOfThreads: 1)
  private let stopSignal: (read: SystemPackage.FileDescriptor, write: SystemPackage.FileDescriptor)

  /// Creates an acceptor, which makes the listening sockets non-blocking.
  ///
  /// - Parameter admit: takes a connection.
  /// - Throws: `Errno`.
  init(
    _ sockets: [SystemPackage.FileDescriptor], admit: @escaping @Sendable (AcceptedSocket) -> Void
  ) throws(Errno) {
    self.sockets = sockets
    self.admit = admit
    for socket in sockets {
      let flags = fcntl(socket.rawValue, F_GETFL)
      guard flags >= 0, fcntl(socket.rawValue, F_SETFL, flags | O_NONBLOCK) == 0 else { throw Errno(rawValue: errno) }
    }
    var ends: [Int32] = [0, 0]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw Errno(rawValue: errno)
    }
    stopSignal = (SystemPackage.FileDescriptor(rawValue: ends[0]), SystemPackage.FileDescriptor(rawValue: ends[1]))
  }

  /// Starts the thread.
  func start() {
    thread.start()
    thread.submit { [self] state in if case .active = state { run() } }
  }

  /// Ends the thread, and closes the listening sockets.
  func stop() async {
    // Closing the other end of the pair wakes the thread; a failure would not change this.
    try? stopSignal.write.close()
    // The only error is that the thread has ended already.
    try? await thread.shutdownGracefully()
    for descriptor in sockets + [stopSignal.read] { try? descriptor.close() }
  }

  private func run() {
    var isExhausted = false
    while true {
      let listening = isExhausted ? [] : sockets
      var entries = ([stopSignal.read] + listening).map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
      // Without free descriptors, accepting is tried again after a pause.
      let result = unsafe poll(&entries, nfds_t(entries.count), isExhausted ? 100 : -1)
      guard entries[0].revents == 0 else { return }
      isExhausted = false
      guard result > 0 else { continue }
      for (index, socket) in listening.enumerated() where entries[index + 1].revents != 0 {
        if !accept(from: socket, listener: index) { isExhausted = true }
      }
    }
  }

  /// Accepts a connection.
  ///
  /// - Returns: false if the process or the system lacks resources.
  private func accept(from socket: SystemPackage.FileDescriptor, listener: Int) -> Bool {
    do throws(Errno) {
      admit(try AcceptedSocket(from: socket, listener: listener))
      return true
    } catch {
      // Other errors are those of a connection that its client has closed already.
      return error == .wouldBlock || error == .interrupted || error == .connectionAbort || error == .protocolError
    }
  }
}
