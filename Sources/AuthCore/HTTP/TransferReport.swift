package import HTTPTypes

/// What there is to tell of one request and its response when both are over, also where they have failed.
package struct TransferReport: Sendable {
  /// One end of a connection.
  package struct Endpoint: Sendable, Equatable {
    /// The IP address; empty where there was no connection.
    package var address = ""
    /// The port; 0 where there was no connection.
    package var port = 0

    /// Makes an endpoint that is not known.
    package init() {}
  }

  /// How many bytes went over the wire.
  package struct Sizes: Sendable, Equatable {
    /// The body of the response.
    package var received: Int64 = 0
    /// The body of the request.
    package var sent: Int64 = 0
    /// The headers of the responses, interim ones included.
    package var responseHeader: Int64 = 0
    /// The request as a whole.
    package var request: Int64 = 0

    /// Makes sizes that are all zero.
    package init() {}
  }

  /// How long it took from the start until something was done; zero where it was not.
  package struct Times: Sendable, Equatable {
    /// The host's address was known.
    package var nameLookup = Duration.zero
    /// The connection stood.
    package var connect = Duration.zero
    /// The TLS handshake was done.
    package var handshake = Duration.zero
    /// The request was about to be sent.
    package var preTransfer = Duration.zero
    /// The first byte of the response came.
    package var startTransfer = Duration.zero
    /// The transfer had ended.
    package var total = Duration.zero

    /// Makes times that are all zero.
    package init() {}
  }

  /// The request's method.
  package let method: HTTPRequest.Method
  /// Where the request went.
  package let url: WebURL
  /// The request's `Referer`, where the transport was asked for one.
  package let referer: String?
  /// The header of the response as far as it came; the status is 0 where none did.
  package var response = TransferResponse(status: 0)
  /// `1`, `1.1`, `2` or `3`; `0` where no response came.
  package var httpVersion = "0"
  /// The proxy's answer to CONNECT; 0 where none was asked.
  package var connectStatus = 0
  /// The server's end of the connection, or the proxy's.
  package var remote = Endpoint()
  /// Our end of the connection.
  package var local = Endpoint()
  /// How much went over the wire.
  package var sizes = Sizes()
  /// How long it took.
  package var times = Times()
  /// How many connections were made for it: 0 where a kept one was used.
  package var newConnections = 0
  /// What the verification of the server's certificate said, in OpenSSL's numbers; 0 is good.
  package var verification = 0
  /// The same of a proxy's certificate.
  package var proxyVerification = 0
  /// The server's certificates with their details, where ``Transfer/wantsCertificates`` asked for them.
  package var certificates: [String] = []
  /// The names and versions of the libraries behind the transport.
  package var library = ""

  /// Makes a report of which nothing is known but the request.
  package init(of transfer: Transfer) {
    method = transfer.method
    url = transfer.url
    referer = transfer.standardFields[.referer]
  }
}

/// How far a transfer has got; the sizes are those on the wire, in bytes.
package struct TransferProgress: Sendable, Equatable {
  /// How much of the response's body has come.
  package var received: Int64
  /// How much of it will come; nil where that is not known.
  package var toReceive: Int64?
  /// How much of the request's body has been sent.
  package var sent: Int64
  /// How much of it will be sent; nil where that is not known.
  package var toSend: Int64?

  /// Makes one; nothing has happened unless given.
  package init(received: Int64 = 0, toReceive: Int64? = nil, sent: Int64 = 0, toSend: Int64? = nil) {
    self.received = received
    self.toReceive = toReceive
    self.sent = sent
    self.toSend = toSend
  }
}
