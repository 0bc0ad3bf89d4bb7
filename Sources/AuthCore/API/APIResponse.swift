public import FoundationEssentials
public import HTTPTypes

/// The answer of an API to a request that succeeded.
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
