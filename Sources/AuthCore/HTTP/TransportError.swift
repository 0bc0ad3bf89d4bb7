/// The reason why no complete response arrived.
public enum TransportError: Error, Sendable, Equatable {
  /// The name of the host or of the proxy could not be resolved.
  case unresolved(host: String, detail: String)
  /// No connection could be established.
  case unreachable(detail: String)
  /// The host name means this machine, but the plain HTTP connection leads to another one, `peer`; nothing was sent.
  case exposed(host: String, peer: String)
  /// The TLS handshake failed, or the certificate could not be verified.
  case tls(detail: String)
  /// A timeout expired.
  case timedOut(detail: String)
  /// The connection broke, or the response is not HTTP.
  case broken(detail: String)
  /// The response is larger than the receiver accepts, in bytes.
  case responseTooLarge(limit: Int)
  /// The response's header is larger than the transport accepts, in bytes.
  case headerTooLarge(limit: Int)
  /// A local file failed: the body could not be read, spooled or written.
  case localFile(detail: String)
  /// The reader of the output has closed it (a closed pipe).
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
