public import HTTPTypes

/// The response to a request.
public struct TransferResponse: Sendable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The header fields in the order of their arrival.
  public var fields: HTTPFields
  /// The header as it came, line ends and the empty last line included.
  public var rawHeader: [UInt8]
  /// The trailer section as it came, after the body; empty where there is none.
  public var rawTrailer: [UInt8]
  /// The body, where it was collected; empty where it went elsewhere.
  public var body: [UInt8]
  /// How many bytes of body came, wherever they went.
  public var bodyCount: Int64
  /// What the API says the token of the request is not enough for; nil where it says nothing of the kind, and where the
  /// request carried no token: what is not the API must not have a say in what a login asks for.
  public var insufficientAuthorization: InsufficientAuthorization?
  /// How long the token of the request is not refreshed, because the API refused it right after it was issued; nil if
  /// that is not so.
  public var refreshPause: Duration?

  /// Makes a response.
  public init(
    status: Int, fields: HTTPFields = [:], rawHeader: [UInt8] = [], rawTrailer: [UInt8] = [], body: [UInt8] = [],
    bodyCount: Int64 = 0
  ) {
    self.status = status
    self.fields = fields
    self.rawHeader = rawHeader
    self.rawTrailer = rawTrailer
    self.body = body
    self.bodyCount = bodyCount
  }
}

/// The outcome of sending a request.
public enum TransferOutcome: Sendable {
  /// A response with any status.
  case response(TransferResponse)
  /// No response.
  case failure(TransportError)

  /// The status of the response; nil if there is none.
  public var status: Int? {
    if case .response(let response) = self { response.status } else { nil }
  }
}
