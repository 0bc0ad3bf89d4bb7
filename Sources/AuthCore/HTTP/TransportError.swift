/// Why no whole response came.
public enum TransportError: Error, Sendable, Equatable {
  /// The host's name, or the proxy's, has no address.
  case unresolved(host: String, detail: String)
  /// No connection could be made.
  case unreachable(detail: String)
  /// The host is this machine by its name, but the connection leads to another, `peer`, over plain HTTP: nothing was
  /// sent.
  case exposed(host: String, peer: String)
  /// The TLS handshake failed or the certificate did not verify.
  case tls(detail: String)
  /// A time limit ran out.
  case timedOut(detail: String)
  /// The connection broke, or the response is not HTTP.
  case broken(detail: String)
  /// The response is larger than the receiver takes, in bytes.
  case responseTooLarge(limit: Int)
  /// The response's header is larger than the transport accepts, in bytes.
  case headerTooLarge(limit: Int)
  /// A local file failed: the body could not be read, spooled or written.
  case localFile(detail: String)
  /// The other end of the output is gone (a closed pipe).
  case outputClosed
  /// The transport itself can't work: the library is missing, or an option's file is unusable.
  case unusable(detail: String)
}

extension TransportError: CustomStringConvertible {
  /// The reason in words, without any secret.
  public var description: String {
    switch self {
    case .unresolved(let host, let detail): "cannot resolve \(host): \(detail)"
    case .unreachable(let detail), .tls(let detail), .timedOut(let detail), .broken(let detail),
      .localFile(let detail), .unusable(let detail):
      detail
    case .exposed(let host, let peer):
      "\(host): the connection leads to \(peer): secrets would cross the network unencrypted"
    case .responseTooLarge(let limit): "the response is larger than \(limit) bytes"
    case .headerTooLarge(let limit): "the response headers are larger than \(limit) bytes"
    case .outputClosed: "the reader of the output is gone"
    }
  }
}
