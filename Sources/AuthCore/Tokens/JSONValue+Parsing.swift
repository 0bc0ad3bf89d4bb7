import FoundationEssentials

extension JSONValue {
  /// Parses a document, whatever its content type said; a byte order mark in front is passed over.
  ///
  /// - Throws: `DecodingError` where the bytes are not JSON.
  public init(parsing bytes: some Collection<UInt8>) throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let document = bytes.starts(with: mark) ? Data(bytes.dropFirst(mark.count)) : Data(bytes)
    self = try JSONDecoder().decode(JSONValue.self, from: document)
  }

  /// The value as compact JSON with its members in alphabetical order.
  ///
  /// - Throws: `EncodingError` for a number that JSON has no form for.
  public func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
