import FlyingSocks
import Foundation

/// The listening socket, on the loopback address only.
struct Listener: Sendable {
  /// The port that it listens on.
  let port: UInt16
  private let socket: Socket

  /// Listens on `port` of 127.0.0.1; 0 lets the system choose.
  /// - Throws: `SocketError` when the port can't be had.
  init(port: UInt16) throws {
    socket = try Socket(domain: AF_INET)
    try socket.setValue(true, for: .localAddressReuse)
    try socket.setFlags(.nonBlocking)
    try socket.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
    try socket.listen(maxPendingConnection: 4096)
    guard case .ip4(_, port: let bound) = try socket.sockname() else { throw SocketError.unsupportedAddress }
    self.port = bound
  }

  /// Accepts and serves connections until the pool fails.
  /// - Throws: `SocketError` when no connection can be accepted any more.
  func run(router: Router) async throws {
    let pool: SocketPool<ePoll> = .ePoll(maxEvents: 512)
    try await pool.prepare()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pool.run() }
      group.addTask {
        try await withThrowingDiscardingTaskGroup { connections in
          while true {
            let accepted = try await accept(pool: pool, router: router)
            connections.addTask { await Connection(socket: accepted, pool: pool, router: router).serve() }
          }
        }
      }
      try await group.next()
    }
  }

  private func accept(pool: SocketPool<ePoll>, router: Router) async throws -> Socket {
    while true {
      do {
        let accepted = Socket(file: try socket.accept().file)
        try accepted.setFlags(.nonBlocking)
        // Answers in several pieces must not wait for the client's delayed acknowledgement.
        try accepted.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        return accepted
      } catch SocketError.blocked {
        try await pool.suspendSocket(socket, untilReadyFor: .read)
      } catch SocketError.failed(type: "Accept", let number, let message) {
        // A client that has gone already is no reason to stop, nor is a moment without descriptors.
        guard [ECONNABORTED, EINTR, EMFILE, ENFILE].contains(number) else { throw SocketError.disconnected }
        await router.state.note("connection not accepted: \(message)")
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }
}
