public import FoundationEssentials

/// Decodes response bodies; `JSONDecoder` conforms to it.
public protocol ResponseDecoder: Sendable {
  /// Decodes a body that is not empty.
  ///
  /// - Throws: an error that is converted to ``APIError/undecodable(reason:status:)``.
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}

extension APIError {
  /// Returns the error for a body that could not be decoded. It names the path in the body; never quotes the body.
  static func undecodable(_ error: any Error, status: Int) -> APIError {
    guard let error = error as? DecodingError else {
      return .undecodable(reason: "\(type(of: error))", status: status)
    }
    let reason =
      switch error {
      case .keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
      case .valueNotFound(_, let context): "\(place(context.codingPath)) is null"
      case .typeMismatch(let type, let context): "\(place(context.codingPath)) is no \(type)"
      case .dataCorrupted(let context): "\(place(context.codingPath)) can't be read"
      @unknown default: "it can't be decoded"
      }
    return .undecodable(reason: Escaped.text(reason), status: status)
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty
      ? "the body" : path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
  }
}
