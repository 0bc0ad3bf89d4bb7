/// A value in the body of a request that a profile describes, or of its response, for a log.
package struct BodyValue: Sendable, Codable {
  /// What a log shows of a value.
  package enum Kind: String, Sendable, Codable {
    /// What its name permits: the value, its fingerprint or its length.
    case named
    /// The value itself: the profile states that it is an error code, a message, a lifetime or a user.
    case plain
    /// The fingerprint of a token.
    case token
    /// That there is a secret.
    case secret
    /// The length only.
    case length
    /// The size of a file, which is the value.
    case file
  }

  /// The names of the members that lead to it, joined by slashes.
  package var path: String
  /// The value: no object and no array with elements.
  package var value: JSONValue
  /// What a log shows of it.
  package var kind: Kind

  /// Creates a value that is shown by its name.
  package init(path: String, value: JSONValue, kind: Kind = .named) {
    self.path = path
    self.value = value
    self.kind = kind
  }

  /// Returns the value with another kind.
  func with(_ kind: Kind) -> BodyValue { BodyValue(path: path, value: value, kind: kind) }

  /// The maximum number of values of one body.
  static let most = 100

  /// Returns the path of a member below another path.
  static func path(_ path: String, _ name: String) -> String {
    (path.isEmpty ? "" : path + "/") + JSONPointer.escape(name)
  }
}

extension JSONValue {
  /// The values in the document, in the order of their names, at most ``BodyValue/most``.
  var bodyValues: [BodyValue] {
    var values: [BodyValue] = []
    addBodyValues(below: "", to: &values)
    return values
  }

  private func addBodyValues(below path: String, to values: inout [BodyValue]) {
    let inner: [(String, JSONValue)]
    switch self {
    case .object(let members): inner = members.sorted { $0.key < $1.key }
    case .array(let elements): inner = elements.prefix(BodyValue.most).enumerated().map { ("\($0)", $1) }
    default: inner = []
    }
    if inner.isEmpty, !path.isEmpty { values.append(BodyValue(path: path, value: self)) }
    for (name, value) in inner where values.count < BodyValue.most {
      value.addBodyValues(below: BodyValue.path(path, name), to: &values)
    }
  }

  /// The text of a string or a number; nil for any other value.
  var scalarText: String? {
    switch self {
    case .string(let text): text
    // A number that was parsed can be written.
    case .integer, .number: try? text()
    default: nil
    }
  }
}
