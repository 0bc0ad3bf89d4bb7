/// The process at the other end of a connection.
package struct ServerPeer: Sendable {
  /// The user ID of the process; nil if the kernel does not report it.
  package let uid: UInt32?
  /// Whether the process has connected to a Unix socket.
  package let isUnixSocket: Bool
  /// The address and the user, for a log.
  package let description: String

  /// Creates a peer.
  package init(uid: UInt32?, isUnixSocket: Bool, description: String) {
    self.uid = uid
    self.isUnixSocket = isUnixSocket
    self.description = description
  }
}

/// The head of a request, after all checks of its syntax.
package struct ServerRequest: Sendable {
  /// A header field as sent.
  package typealias Field = (name: String, value: String)

  /// The method: a token of at most 32 bytes (RFC 9110, section 9.1).
  package let method: String
  /// The target exactly as sent: bytes in 0x21...0x7E without `#` (RFC 9112, section 3.2).
  package let target: String
  /// Whether the version is HTTP/1.0; otherwise, it is HTTP/1.1.
  package let isHTTP10: Bool
  /// The fields in order. A value is UTF-8 without control characters except the tab.
  package let fields: [Field]
  /// The value of `Content-Length`; nil if the request has no such field.
  package let contentLength: Int64?
  /// Whether the body is sent in chunks.
  package let isChunked: Bool
  /// The process that has sent the request.
  package let peer: ServerPeer
  /// The index of the listening socket that has accepted the connection.
  package let listener: Int

  /// Creates a request.
  package init(
    method: String, target: String, isHTTP10: Bool = false, fields: [Field] = [], contentLength: Int64? = nil,
    isChunked: Bool = false, peer: ServerPeer, listener: Int = 0
  ) {
    self.method = method
    self.target = target
    self.isHTTP10 = isHTTP10
    self.fields = fields
    self.contentLength = contentLength
    self.isChunked = isChunked
    self.peer = peer
    self.listener = listener
  }

  /// Returns the values of a header field, by its name in lower case.
  package func values(_ name: String) -> [String] { fields.filter { $0.name.lowercased() == name }.map(\.value) }

  /// Returns the first value of a header field, by its name in lower case.
  package func value(_ name: String) -> String? { values(name).first }
}
