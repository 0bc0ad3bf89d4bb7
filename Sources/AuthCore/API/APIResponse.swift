public import FoundationEssentials
public import HTTPTypes

/// The response of an API to a request that succeeded.
public struct APIResponse<Value: Sendable>: Sendable {
  /// What was decoded.
  public let value: Value
  /// The body as it came.
  public let data: Data
  /// Status and header fields.
  public let response: HTTPResponse

  /// Puts a response together.
  public init(value: Value, data: Data, response: HTTPResponse) {
    self.value = value
    self.data = data
    self.response = response
  }
}

/// The value of a response of which only success matters: 204, an empty body, or an ignored body.
public struct EmptyResponse: Sendable, Equatable, Decodable {
  /// Makes the one value there is.
  public init() {}

  /// Reads nothing.
  public init(from decoder: any Decoder) {}
}
