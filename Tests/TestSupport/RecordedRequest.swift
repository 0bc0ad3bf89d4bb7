/// A request as authlab has seen it.
public struct RecordedRequest: Decodable, Sendable {
  /// The endpoint's name in counters.
  public let endpoint: String
  /// The method.
  public let method: String
  /// Path and query.
  public let target: String
  /// The header fields in their order, each a name and a value.
  public let headers: [[String]]
  /// The form that came with it, where the endpoint takes one.
  public let form: String?
  /// When it came, in seconds since 1970.
  public let receivedAt: Double
  /// The status of the response, if there was one.
  public let status: Int?

  /// The value of the first header field with this name in lower case.
  public func header(_ name: String) -> String? {
    headers.first { $0.first?.lowercased() == name }?.last
  }
}
