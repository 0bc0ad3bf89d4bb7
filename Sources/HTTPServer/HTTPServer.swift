import CSockets
import NIOCore
import NIOPosix
import Synchronization
package import SystemPackage

/// An HTTP/1.1 server for programs on this machine. It checks requests strictly, and streams bodies in both directions.
package final class HTTPServer: Sendable {
  private struct Connection {
    let isWelcome: Bool
    var channel: (any Channel)?
  }

  private struct State {
    /// The connections. Those that are being set up have no channel yet.
    var connections: [Int: Connection] = [:]
    /// The number of connections from peers that are not welcome.
    var strangers = 0
    /// The number of connections that have been accepted, with which the next one is identified.
    var accepted = 0
    var acceptor: Acceptor?
    var isStopping = false

    /// Adds a connection.
    ///
    /// - Returns: its number, and how many of its kind there are.
    mutating func add(isWelcome: Bool) -> (id: Int, count: Int) {
      accepted += 1
      connections[accepted] = Connection(isWelcome: isWelcome)
      if !isWelcome { strangers += 1 }
      return (accepted, isWelcome ? connections.count - strangers : strangers)
    }

    mutating func remove(_ id: Int) {
      if connections.removeValue(forKey: id)?.isWelcome == false { strangers -= 1 }
    }
  }

  private let sockets: [SystemPackage.FileDescriptor]
  private let limits: ServerLimits
  private let welcomes: @Sendable (ServerPeer) -> Bool
  private let handler: @Sendable (ServerExchange) async -> Void
  private let group: MultiThreadedEventLoopGroup
  private let state = Mutex(State())

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - sockets: sockets that listen, on the loopback interface or a Unix socket. The server closes them.
  ///   - limits: the limits.
  ///   - threads: the number of event loops.
  ///   - welcomes: whether connections of a peer count for the limit of connections. Of others, few can be open, so
  ///     that they can't use up this limit.
  ///   - handler: answers a request, in a task of its own.
  package init(
    _ sockets: [SystemPackage.FileDescriptor], limits: ServerLimits = ServerLimits(), threads: Int = 1,
    welcoming welcomes: @escaping @Sendable (ServerPeer) -> Bool = { _ in true },
    handler: @escaping @Sendable (ServerExchange) async -> Void
  ) {
    self.sockets = sockets
    self.limits = limits
    self.welcomes = welcomes
    self.handler = handler
    group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
  }

  /// The number of open connections.
  package var connectionCount: Int { state.withLock { $0.connections.count } }

  /// Starts to accept connections.
  ///
  /// - Throws: `Errno`.
  package func start() async throws {
    // A loop that runs has its descriptor. This future has no errors.
    for loop in group.makeIterator() { try? await loop.submit {}.get() }
    csockets_keep_event_polls()
    let acceptor = try Acceptor(sockets) { [self] in open($0) }
    state.withLock { $0.acceptor = acceptor }
    acceptor.start()
  }

  /// Stops the server: closes the listening sockets and idle connections immediately, and the other connections after
  /// their response. The server cannot be started again.
  ///
  /// - Parameter grace: the time after which all connections are closed.
  package func stop(grace: Duration) async {
    let acceptor = state.withLock { state in
      state.isStopping = true
      defer { state.acceptor = nil }
      return state.acceptor
    }
    guard let acceptor else { return }
    await acceptor.stop()
    let channels = state.withLock { $0.connections.values.compactMap(\.channel) }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ServerStop.afterResponse) }
    let deadline = group.next().scheduleTask(in: grace.amount) {
      for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ServerStop.immediately) }
    }
    // This future has no errors.
    for channel in channels { try? await channel.closeFuture.get() }
    deadline.cancel()
    // The only error is that the group has been shut down already.
    try? await group.shutdownGracefully()
  }

  // MARK: - Connections

  /// Sets up a connection, or closes it if there are far too many.
  private func open(_ accepted: AcceptedSocket) {
    // Here, not on an event loop: the look-up takes longer the more connections the system has.
    let peer = accepted.peer()
    let isWelcome = welcomes(peer)
    let (id, number) = state.withLock { $0.add(isWelcome: isWelcome) }
    guard number <= (isWelcome ? limits.connections : 0) + ServerLimits.refusedConnections else {
      // Nothing has been sent, so no error can matter.
      try? accepted.descriptor.close()
      return forget(id)
    }
    let isTooMany = isWelcome && number > limits.connections
    bootstrap(isUnixSocket: accepted.isUnixSocket)
      .channelInitializer { [self] channel in prepare(channel, id, accepted, peer: isTooMany ? nil : peer) }
      .withConnectedSocket(accepted.descriptor.rawValue)
      .whenFailure { [self] _ in forget(id) }
  }

  private func forget(_ id: Int) { state.withLock { $0.remove(id) } }

  private func bootstrap(isUnixSocket: Bool) -> ClientBootstrap {
    let bootstrap = ClientBootstrap(group: group)
      .channelOption(.autoRead, value: false)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.maxMessagesPerRead, value: 1)
    guard !isUnixSocket else { return bootstrap }
    // NIO reads all that the kernel holds when the client closes its output, so the kernel must not hold much.
    let size = ChannelOptions.Types.SocketOption.Value(ServerLimits.bufferedBytes)
    return bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.socketOption(.so_rcvbuf), value: size)
  }

  private func prepare(
    _ channel: any Channel, _ id: Int, _ accepted: AcceptedSocket, peer: ServerPeer?
  ) -> EventLoopFuture<Void> {
    let isStopping = state.withLock { state in
      state.connections[id]?.channel = channel
      return state.isStopping
    }
    channel.closeFuture.whenComplete { [self] _ in forget(id) }
    return channel.eventLoop.makeCompletedFuture {
      guard !isStopping else { throw ChannelError.ioOnClosedChannel }
      let connection = ServerConnection(accepted, peer: peer, limits, handler: handler)
      try channel.pipeline.syncOperations.addHandler(connection)
    }
  }
}

/// How connections end when the server stops.
enum ServerStop {
  /// After the current response, or immediately without one.
  case afterResponse
  /// Immediately.
  case immediately
}
