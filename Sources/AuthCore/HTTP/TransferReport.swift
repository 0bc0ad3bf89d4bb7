package import HTTPTypes

/// Facts about one request and its response after the transfer has succeeded or failed.
package struct TransferReport: Sendable {
  /// One end of a connection.
  package struct Endpoint: Sendable, Equatable {
    /// The IP address; empty if there was no connection.
    package var address = ""
    /// The port; 0 if there was no connection.
    package var port = 0

    /// Creates an unknown endpoint.
    package init() {}
  }

  /// Numbers of bytes sent and received.
  package struct Sizes: Sendable, Equatable {
    /// The body of the response.
    package var received: Int64 = 0
    /// The body of the request.
    package var sent: Int64 = 0
    /// The headers of the responses, interim ones included.
    package var responseHeader: Int64 = 0
    /// The request as a whole.
    package var request: Int64 = 0

    /// Creates sizes that are all zero.
    package init() {}
  }

  /// The time from the start of the transfer until each step was completed; zero if it was not.
  package struct Times: Sendable, Equatable {
    /// The host's address was known.
    package var nameLookup = Duration.zero
    /// The connection was established.
    package var connect = Duration.zero
    /// The TLS handshake was completed.
    package var handshake = Duration.zero
    /// The request was about to be sent.
    package var preTransfer = Duration.zero
    /// The first byte of the response arrived.
    package var startTransfer = Duration.zero
    /// The transfer was completed.
    package var total = Duration.zero

    /// Creates times that are all zero.
    package init() {}
  }

  /// The request's method.
  package let method: HTTPRequest.Method
  /// The URL to which the request was sent.
  package let url: WebURL
  /// The request's `Referer` from ``Transfer/standardFields``; nil if there is none.
  package let referer: String?
  /// The header of the response as far as it arrived; the status is 0 if there was no response.
  package var response = TransferResponse(status: 0)
  /// `1`, `1.1`, `2` or `3`; `0` if there was no response.
  package var httpVersion = "0"
  /// The status of the proxy's response to CONNECT; 0 if no CONNECT was sent.
  package var connectStatus = 0
  /// The server's end of the connection, or the proxy's.
  package var remote = Endpoint()
  /// The local end of the connection.
  package var local = Endpoint()
  /// The numbers of bytes sent and received.
  package var sizes = Sizes()
  /// The times of the steps of the transfer.
  package var times = Times()
  /// The number of new connections; 0 if an existing connection was reused.
  package var newConnections = 0
  /// The verification result of the server's certificate, as an OpenSSL code; 0 means valid.
  package var verification = 0
  /// The verification result of the proxy's certificate, as an OpenSSL code; 0 means valid.
  package var proxyVerification = 0
  /// The server's certificates with their details, if ``Transfer/wantsCertificates`` is set.
  package var certificates: [String] = []
  /// Returns the names and versions of the libraries behind the transport. libcurl takes milliseconds for them: it asks
  /// each library, and the one for LDAP loads its plug-ins then.
  package var library: @Sendable () -> String = { "" }

  /// Creates a report in which only the request is known.
  package init(of transfer: Transfer) {
    method = transfer.method
    url = transfer.url
    referer = transfer.standardFields[.referer]
  }
}

/// The progress of a transfer; the sizes are those on the wire, in bytes.
package struct TransferProgress: Sendable, Equatable {
  /// The received size of the response body.
  package var received: Int64
  /// The total size of the response body; nil if unknown.
  package var toReceive: Int64?
  /// The sent size of the request body.
  package var sent: Int64
  /// The total size of the request body; nil if unknown.
  package var toSend: Int64?

  /// Creates a progress value; sizes that are not given are zero or unknown.
  package init(received: Int64 = 0, toReceive: Int64? = nil, sent: Int64 = 0, toSend: Int64? = nil) {
    self.received = received
    self.toReceive = toReceive
    self.sent = sent
    self.toSend = toSend
  }
}
