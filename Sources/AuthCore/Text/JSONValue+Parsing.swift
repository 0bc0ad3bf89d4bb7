extension JSONValue {
  /// The maximum nesting depth of arrays and objects.
  public static let depthLimit = 64

  /// Parses a document (RFC 8259) in linear time; a leading byte order mark is ignored.
  ///
  /// The text must be UTF-8 and contain one value. If members have the same name, the last one is used (RFC 7519,
  /// section 4).
  ///
  /// - Throws: `DecodingError` for bytes that are not JSON, for half of a surrogate pair, for a number that `Double`
  ///   can't hold, and for values nested more than ``depthLimit`` deep.
  public init(parsing bytes: some Collection<UInt8>) throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let document = Array(bytes)
    var parser = JSONParser(document.starts(with: mark) ? document.dropFirst(mark.count) : document[...])  // bytes
    self = try parser.document()
  }

  /// Returns the value as compact JSON with its members sorted by name.
  ///
  /// - Throws: `EncodingError` for a number that JSON can't represent.
  public func text() throws -> String {
    var writer = JSONWriter()
    try writer.append(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// Reads a part of a token: a JSON object in Base64url (RFC 7515, section 3.1); nil if it is none.
  init?(objectInBase64URL part: Substring) {
    guard let bytes = Base64URL.decode(part), let value = try? JSONValue(parsing: bytes), case .object = value else {
      return nil
    }
    self = value
  }
}
