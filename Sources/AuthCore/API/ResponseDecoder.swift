public import FoundationEssentials

/// Makes values of bodies; `JSONDecoder` is one.
public protocol ResponseDecoder: Sendable {
  /// Decodes a body that is not empty.
  ///
  /// - Throws: what becomes ``APIError/undecodable(reason:status:)``.
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}

extension APIError {
  /// Why a body could not be decoded, by the path to the place; never quotes it.
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
