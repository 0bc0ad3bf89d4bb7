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
    guard let date = Date(stored: text) else { throw mismatch(key) }
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

extension Date {
  /// Reads a date in the form of RFC 3339; nil for any other text.
  fileprivate init?(stored text: String) {
    if let seconds = Date.seconds(ofPlain: text) {
      self.init(timeIntervalSince1970: Double(seconds))
    } else {
      // Loads a time zone, which takes half a millisecond.
      guard let date = try? Date(text, strategy: .iso8601) else { return nil }
      self = date
    }
  }

  /// Returns the seconds since 1970 of a date like `2026-01-31T23:59:59Z`, the only form that is written; nil for any
  /// other text.
  private static func seconds(ofPlain text: String) -> Int? {
    let digits = Array(text.utf8)
    let form = "0000-00-00T00:00:00Z".utf8
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard digits.count == form.count,
      zip(digits, form).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 })
    else { return nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    // Left to the calendar: a leap day, and the years of another calendar.
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard year >= 1970, lengths.indices.contains(month - 1), (1...lengths[month - 1]).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    // The days since the first of March of the year 0 (Gregorian calendar): leap days are then at the end of a year.
    let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let days = years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1
    let daysTo1970 = 719_468
    return ((days - daysTo1970) * 24 + hour) * 3600 + minute * 60 + second
  }
}
