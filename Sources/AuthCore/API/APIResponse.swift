public import FoundationEssentials
public import HTTPTypes

/// The response of an API to a request that succeeded.
public struct APIResponse<Value: Sendable>: Sendable {
  /// The decoded value.
  public let value: Value
  /// The body as received, in bytes.
  public let data: Data
  /// The status and the header fields.
  public let response: HTTPResponse

  /// Creates a response.
  public init(value: Value, data: Data, response: HTTPResponse) {
    self.value = value
    self.data = data
    self.response = response
  }
}

/// The value of a response whose body is not used: 204, an empty body, or an ignored body.
public struct EmptyResponse: Sendable, Equatable, Decodable {
  /// Creates the value.
  public init() {}

  /// Decodes no data.
  public init(from decoder: any Decoder) {}
}
