public import Foundation

/// A whole HTTP response.
public struct LoopbackResponse: Sendable {
  /// The status code.
  public let status: Int
  /// The header fields in their order.
  public let headers: [(name: String, value: String)]
  /// The body, without transfer coding.
  public let body: Data

  /// Puts a response together.
  public init(status: Int, headers: [(name: String, value: String)], body: Data) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first header field with this name in lower case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as a JSON object.
  /// - Throws: `CocoaError` when it is none.
  public func json() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:]
  }

  /// A string member of the JSON object in the body; nil where it is absent.
  /// - Throws: `CocoaError` when the body is not JSON.
  public func string(_ name: String) throws -> String? {
    try json()[name] as? String
  }
}
