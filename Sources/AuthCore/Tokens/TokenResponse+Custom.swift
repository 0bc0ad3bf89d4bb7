extension TokenResponse {
  /// Reads the tokens from a document at the locations that a profile states.
  ///
  /// - Throws: ``Malformed`` if there is no usable access token; it lists the members of the document.
  init(_ document: JSONValue, at pointers: ResponsePointers) throws(Malformed) {
    func value(_ pointers: [JSONPointer]) -> JSONValue? { ResponsePointers.first(pointers, in: document) }
    guard let accessToken = try TokenResponse.token("the access token", value(pointers.accessToken)) else {
      let places = pointers.accessToken.map(\.description).joined(separator: ", ")
      throw Malformed(reason: "no access token at \(places) ([response] access_token); \(document.outline)")
    }
    self.init(
      accessToken: accessToken,
      refreshToken: try TokenResponse.token("the refresh token", value(pointers.refreshToken)),
      expiresIn: TokenResponse.seconds(value(pointers.expiresIn)),
      refreshExpiresIn: TokenResponse.seconds(value(pointers.refreshExpiresIn)),
      subject: TokenResponse.subject(value(pointers.subject)))
  }

  private static func subject(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    default: nil
    }
  }
}

extension JSONValue {
  /// The members of a document as JSON Pointers with their types, for a message. It never contains a value.
  var outline: String {
    guard case .object = self else { return "the response is \(typeName)" }
    let lines = outline(below: "", depth: 0)
    guard !lines.isEmpty else { return "the response has no members" }
    let more = lines.count > JSONValue.longestOutline ? ", …" : ""
    return "the response has " + lines.prefix(JSONValue.longestOutline).joined(separator: ", ") + more
  }

  private static let longestOutline = 20

  private func outline(below path: String, depth: Int) -> [String] {
    guard case .object(let members) = self, depth < 3, !members.isEmpty else {
      return path.isEmpty ? [] : ["\(path) (\(typeName))"]
    }
    // Sorted: the order of a dictionary differs from run to run. Truncated before sorting, because a server may send
    // thousands.
    return members.prefix(100).sorted { $0.key < $1.key }.flatMap { name, value in
      value.outline(below: path + "/" + JSONPointer.escape(Escaped.text(name, limit: 40)), depth: depth + 1)
    }
  }

  private var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
