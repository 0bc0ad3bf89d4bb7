/// The limits of a server.
package struct ServerLimits: Sendable {
  /// The maximum number of connections. A further connection gets 503.
  package var connections = 1000
  /// The maximum size of a request's head in bytes. A longer head gets 431.
  package var headBytes = 64 << 10
  /// The maximum number of fields in a request's head. More fields get 431.
  package var fields = 200
  /// The maximum time from the first byte of a head to its last one. A slower head gets 408.
  package var headTime = Duration.seconds(20)
  /// The maximum time without progress: between two pieces of a request body, and for a piece of a response that the
  /// client must take. The connection is closed after it.
  package var pieceTime = Duration.seconds(60)
  /// The maximum time between two requests. The connection is closed after it.
  package var idleTime = Duration.seconds(60)

  /// The number of bytes of a request body, and of a response, that a connection holds in memory.
  static let bufferedBytes = 256 << 10
  /// The number of bytes of an unread request body that are discarded after the response, to keep the connection.
  static let drainedBytes = 64 << 10
  /// The number of bytes of later requests that are read while the current one is answered.
  static let pipelinedBytes = 16 << 10
  /// The number of connections above the limit that are open at the same time to get their 503.
  static let refusedConnections = 64
  /// The time for which a connection discards input after its last response, so that the client can read it.
  static let lingerTime = Duration.seconds(2)

  /// Creates the default limits.
  package init() {}
}
