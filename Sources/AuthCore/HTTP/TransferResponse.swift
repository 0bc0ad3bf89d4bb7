public import HTTPTypes

/// The response to a request.
public struct TransferResponse: Sendable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The header fields in the order in which they arrived.
  public var fields: HTTPFields
  /// The header as it arrived, including line ends and the empty last line.
  public var rawHeader: [UInt8]
  /// The trailer section after the body, as it arrived; empty if there is none.
  public var rawTrailer: [UInt8]
  /// The body if it was collected; empty if it had another destination.
  public var body: [UInt8]
  /// The number of body bytes that arrived, regardless of their destination.
  public var bodyCount: Int64
  /// The authorization that the token lacks according to the API. It is nil if the API does not report this or the
  /// request carried no token: only the API may influence what a login requests.
  public var insufficientAuthorization: InsufficientAuthorization?
  /// How long the token of the request is not refreshed, because the API refused it right after it was issued; nil if
  /// it did not.
  public var refreshPause: Duration?
  /// Method and path of the earlier request because of whose refusal the token is not refreshed; nil if this is the
  /// first refusal.
  package var refusedRequest: String?
  /// The secrets of the request and of its session, which no message may repeat.
  package var secrets: [Secret] = []

  /// Creates a response.
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
