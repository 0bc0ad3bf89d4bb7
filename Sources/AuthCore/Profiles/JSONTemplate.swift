/// A JSON document with placeholders in its strings.
///
/// Values are inserted into a tree of strings, and the tree is encoded as a whole: no value can change the structure of
/// the document.
package indirect enum JSONTemplate: Sendable, Equatable {
  /// A string with placeholders.
  case string(TextTemplate)
  /// A number, `true` or `false`.
  case literal(JSONValue)
  /// An array.
  case array([JSONTemplate])
  /// An object.
  case object([String: JSONTemplate])

  /// The placeholders.
  var placeholders: [Placeholder] {
    switch self {
    case .string(let template): template.placeholders
    case .literal: []
    case .array(let elements): elements.flatMap(\.placeholders)
    case .object(let members): members.sorted { $0.key < $1.key }.flatMap(\.value.placeholders)
    }
  }

  /// Returns the document with the values in place of the placeholders; omits members and elements whose value is
  /// absent.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a value is missing.
  func filled(_ values: RequestValues) throws(AuthError) -> JSONValue? {
    switch self {
    case .string(let template):
      return try template.filled(values).map { .string($0) }
    case .literal(let value):
      return value
    case .array(let elements):
      var filled: [JSONValue] = []
      for element in elements { if let value = try element.filled(values) { filled.append(value) } }
      return .array(filled)
    case .object(let members):
      var filled: [String: JSONValue] = [:]
      for (name, member) in members { filled[name] = try member.filled(values) }
      return .object(filled)
    }
  }
}
