public import HTTPTypes

/// What there is to tell of one request and its response when both are over, also where they have failed.
public struct TransferReport: Sendable {
  /// One end of a connection.
  public struct Endpoint: Sendable, Equatable {
    /// The IP address; empty where there was no connection.
    public var address = ""
    /// The port; 0 where there was no connection.
    public var port = 0

    /// Makes an endpoint that is not known.
    public init() {}
  }

  /// How many bytes went over the wire.
  public struct Sizes: Sendable, Equatable {
    /// The body of the response.
    public var received: Int64 = 0
    /// The body of the request.
    public var sent: Int64 = 0
    /// The headers of the responses, interim ones included.
    public var responseHeader: Int64 = 0
    /// The request as a whole.
    public var request: Int64 = 0

    /// Makes sizes that are all zero.
    public init() {}
  }

  /// How long it took from the start until something was done; zero where it was not.
  public struct Times: Sendable, Equatable {
    /// The host's address was known.
    public var nameLookup = Duration.zero
    /// The connection stood.
    public var connect = Duration.zero
    /// The TLS handshake was done.
    public var handshake = Duration.zero
    /// The request was about to be sent.
    public var preTransfer = Duration.zero
    /// The first byte of the response came.
    public var startTransfer = Duration.zero
    /// The transfer had ended.
    public var total = Duration.zero

    /// Makes times that are all zero.
    public init() {}
  }

  /// The request's method.
  public let method: HTTPRequest.Method
  /// Where the request went.
  public let url: WebURL
  /// The request's `Referer`, where the transport was asked for one.
  public let referer: String?
  /// The header of the response as far as it came; the status is 0 where none did.
  public var response = TransferResponse(status: 0)
  /// `1`, `1.1`, `2` or `3`; `0` where no response came.
  public var httpVersion = "0"
  /// The proxy's answer to CONNECT; 0 where none was asked.
  public var connectStatus = 0
  /// The server's end of the connection, or the proxy's.
  public var remote = Endpoint()
  /// Our end of the connection.
  public var local = Endpoint()
  /// How much went over the wire.
  public var sizes = Sizes()
  /// How long it took.
  public var times = Times()
  /// How many connections were made for it: 0 where a kept one was used.
  public var newConnections = 0
  /// What the verification of the server's certificate said, in OpenSSL's numbers; 0 is good.
  public var verification = 0
  /// The same of a proxy's certificate.
  public var proxyVerification = 0
  /// The server's certificates with their details, where ``Transfer/wantsCertificates`` asked for them.
  public var certificates: [String] = []
  /// The names and versions of the libraries behind the transport.
  public var library = ""

  /// Makes a report of which nothing is known but the request.
  public init(of transfer: Transfer) {
    method = transfer.method
    url = transfer.url
    referer = transfer.standardFields[.referer]
  }
}

/// How far a transfer has got; the sizes are those on the wire, in bytes.
public struct TransferProgress: Sendable, Equatable {
  /// How much of the response's body has come.
  public var received: Int64
  /// How much of it will come; nil where that is not known.
  public var toReceive: Int64?
  /// How much of the request's body has been sent.
  public var sent: Int64
  /// How much of it will be sent; nil where that is not known.
  public var toSend: Int64?

  /// Makes one; nothing has happened unless given.
  public init(received: Int64 = 0, toReceive: Int64? = nil, sent: Int64 = 0, toSend: Int64? = nil) {
    self.received = received
    self.toReceive = toReceive
    self.sent = sent
    self.toSend = toSend
  }
}
