import FoundationEssentials

/// The members of a stored JSON object, read as strictly as by `JSONDecoder` with dates in the form of RFC 3339.
///
/// `JSONDecoder` takes a millisecond for an object of the size of a token pair, most of it once per process for the
/// types that it involves.
struct StoredObject<Key: CodingKey> {
  private let value: JSONValue

  /// Wraps an object.
  ///
  /// - Throws: `DecodingError` for any other value.
  init(_ value: JSONValue) throws(DecodingError) {
    guard case .object = value else { throw JSONParser.malformed("an object is missing") }
    self.value = value
  }

  /// Returns a member; nil if it is missing or `null`.
  ///
  /// - Throws: `DecodingError` if it is not a string.
  func text(_ key: Key) throws(DecodingError) -> String? {
    guard let member = value[key.stringValue] else { return nil }
    guard case .string(let text) = member else { throw mismatch(key) }
    return text
  }

  /// Returns a member; nil if it is missing or `null`.
  ///
  /// - Throws: `DecodingError` if it is not a date.
  func date(_ key: Key) throws(DecodingError) -> Date? {
    guard let text = try text(key) else { return nil }
    guard let date = Date(rfc3339: text) else { throw mismatch(key) }
    return date
  }

  /// Returns a member; nil if it is missing or `null`.
  ///
  /// - Throws: `DecodingError` if it is not `true` or `false`.
  func flag(_ key: Key) throws(DecodingError) -> Bool? {
    guard let member = value[key.stringValue] else { return nil }
    guard case .bool(let flag) = member else { throw mismatch(key) }
    return flag
  }

  /// Returns a member; nil if it is missing or `null`.
  ///
  /// - Throws: `DecodingError` if it is not an integer of this type.
  func integer<Number: FixedWidthInteger>(_ key: Key, as type: Number.Type = Number.self) throws(DecodingError)
    -> Number?
  {
    guard let member = value[key.stringValue] else { return nil }
    guard case .integer(let integer) = member, let number = Number(exactly: integer) else { throw mismatch(key) }
    return number
  }

  /// Returns a member; nil if it is missing or `null`.
  ///
  /// - Throws: `DecodingError` if it is not a number.
  func number(_ key: Key) throws(DecodingError) -> Double? {
    switch value[key.stringValue] {
    case nil: nil
    case .integer(let number): Double(number)
    case .number(let number): number
    default: throw mismatch(key)
    }
  }

  /// Returns a member; nil if it is missing or `null`.
  ///
  /// - Throws: `DecodingError` if it is not an array of strings.
  func texts(_ key: Key) throws(DecodingError) -> [String]? {
    guard let member = value[key.stringValue] else { return nil }
    guard case .array = member, let texts = member.strings else { throw mismatch(key) }
    return texts
  }

  /// Returns a member; nil if it is missing or `null`.
  ///
  /// - Throws: `DecodingError` if it is not an object.
  func object<Inner: CodingKey>(_ key: Key, _ type: Inner.Type) throws(DecodingError) -> StoredObject<Inner>? {
    guard let member = value[key.stringValue] else { return nil }
    return try StoredObject<Inner>(member)
  }

  /// Returns the value of a member that must be there.
  ///
  /// - Throws: `DecodingError` for nil.
  func required<Value>(_ key: Key, _ value: Value?) throws(DecodingError) -> Value {
    guard let value else { throw JSONParser.malformed("'\(key.stringValue)' is missing") }
    return value
  }

  private func mismatch(_ key: Key) -> DecodingError {
    JSONParser.malformed("'\(key.stringValue)' has another type")
  }
}
