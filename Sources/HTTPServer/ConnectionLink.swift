import NIOCore

/// The way from the threads of a handler to the connection on its event loop.
struct ConnectionLink: Sendable {
  private let eventLoop: any EventLoop
  private let connection: NIOLoopBound<ServerConnection>

  /// Creates a link. Must be called on the event loop.
  init(_ connection: ServerConnection, on eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    self.connection = NIOLoopBound(connection, eventLoop: eventLoop)
  }

  /// Lets the connection send the bytes of the response.
  func flush() { eventLoop.execute { connection.value.flushResponse() } }

  /// Lets the connection read more of the request body.
  func resumeReading() { eventLoop.execute { connection.value.resumeReading() } }
}
