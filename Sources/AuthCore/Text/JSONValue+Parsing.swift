extension JSONValue {
  /// How many arrays and objects may be nested in each other.
  public static let depthLimit = 64

  /// Parses a document (RFC 8259) in linear time, whatever its content type; a byte order mark at its start is ignored.
  ///
  /// The text must be UTF-8 throughout and hold one value. Of members of one name the last counts (RFC 7519, section
  /// 4).
  ///
  /// - Throws: `DecodingError` for bytes that are not JSON, for half of a surrogate pair, for a number that `Double`
  ///   can't hold, and for values nested more than ``depthLimit`` deep.
  public init(parsing bytes: some Collection<UInt8>) throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let document = Array(bytes)
    var parser = JSONParser(document.starts(with: mark) ? document.dropFirst(mark.count) : document[...])
    self = try parser.document()
  }

  /// The value as compact JSON with its members in the order of their names.
  ///
  /// - Throws: `EncodingError` for a number that JSON has no form for.
  public func text() throws -> String {
    var writer = JSONWriter()
    try writer.append(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
