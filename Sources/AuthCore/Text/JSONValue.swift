/// Any JSON value (RFC 8259), for documents without a fixed structure.
public enum JSONValue: Sendable, Equatable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number without a fraction that fits 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; if a name occurs twice, the last member is used (RFC 7519, section 4).
  case object([String: JSONValue])

  /// The member of an object; nil if it is missing or `null`, or if this is not an object.
  public subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self, let value = members[name], value != .null else { return nil }
    return value
  }

  /// The string; nil if this is not a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The Boolean; nil if this is not a Boolean.
  public var bool: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  /// The strings of an array, or a single string as a list of one; nil if any element is not a string.
  public var strings: [String]? {
    switch self {
    case .string(let text): [text]
    case .array(let values): values.allSatisfy { $0.string != nil } ? values.compactMap(\.string) : nil
    default: nil
    }
  }

  /// The number, also if a server sends it as a string (`"3600"`) or with a fraction.
  public var lenientNumber: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value.isFinite ? value : nil
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`
  public init(nilLiteral: ()) { self = .null }
  /// `true` or `false`
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number without a fraction.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; if a name occurs twice, the last member is used.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}

extension JSONValue: Codable {
  /// Decodes a value of any type. For a whole document ``init(parsing:)`` is much faster.
  ///
  /// - Throws: `DecodingError`, also for a value nested more than ``depthLimit`` deep.
  public init(from decoder: any Decoder) throws {
    // The cost of each step grows with the length of its path.
    guard decoder.codingPath.count <= JSONValue.depthLimit else { throw JSONParser.malformed("it is nested too deep") }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Encodes the value as plain JSON.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

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
