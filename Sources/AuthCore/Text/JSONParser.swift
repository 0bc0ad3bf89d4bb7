/// Parses a JSON document (RFC 8259) into a ``JSONValue`` in linear time.
struct JSONParser {
  private let bytes: ArraySlice<UInt8>
  private var lexer: JSONLexer

  /// - Parameter bytes: the text without a byte order mark.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    lexer = JSONLexer(bytes)
  }

  /// Returns the error for a text that can't be parsed; it does not quote the text.
  static func malformed(_ why: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "not valid JSON: \(why)"))
  }

  /// Parses the whole text.
  mutating func document() throws(DecodingError) -> JSONValue {
    let value = try value(from: try token(), depth: 0)
    guard lexer.isAtEnd() else { throw JSONParser.malformed("there is text after the value") }
    return value
  }

  private mutating func token() throws(DecodingError) -> JSONLexer.Token {
    guard let token = lexer.next() else { throw JSONParser.malformed("a value is missing or malformed") }
    return token
  }

  private mutating func value(from token: JSONLexer.Token, depth: Int) throws(DecodingError) -> JSONValue {
    switch token {
    case .string(let range): return .string(try string(range))
    case .number(let range): return try number(range)
    case .word(let range):
      let first = bytes[range.lowerBound]
      return first == UInt8(ascii: "n") ? .null : .bool(first == UInt8(ascii: "t"))
    case .mark(UInt8(ascii: "[")): return .array(try elements(depth: depth + 1))
    case .mark(UInt8(ascii: "{")): return .object(try members(depth: depth + 1))
    case .mark: throw JSONParser.malformed("a value is missing")
    }
  }

  private mutating func elements(depth: Int) throws(DecodingError) -> [JSONValue] {
    try check(depth)
    var elements: [JSONValue] = []
    var token = try token()
    guard token != .mark(UInt8(ascii: "]")) else { return elements }
    while true {
      elements.append(try value(from: token, depth: depth))
      guard try hasMore(before: UInt8(ascii: "]")) else { return elements }
      token = try self.token()
    }
  }

  private mutating func members(depth: Int) throws(DecodingError) -> [String: JSONValue] {
    try check(depth)
    var members: [String: JSONValue] = [:]
    var token = try token()
    guard token != .mark(UInt8(ascii: "}")) else { return members }
    while true {
      guard case .string(let range) = token else { throw JSONParser.malformed("a name is missing") }
      let name = try string(range)
      guard try self.token() == .mark(UInt8(ascii: ":")) else { throw JSONParser.malformed("a colon is missing") }
      members[name] = try value(from: try self.token(), depth: depth)
      guard try hasMore(before: UInt8(ascii: "}")) else { return members }
      token = try self.token()
    }
  }

  private func check(_ depth: Int) throws(DecodingError) {
    guard depth <= JSONValue.depthLimit else { throw JSONParser.malformed("it is nested too deep") }
  }

  /// Reads a comma or the end, and returns whether it was a comma.
  private mutating func hasMore(before end: UInt8) throws(DecodingError) -> Bool {
    switch try token() {
    case .mark(UInt8(ascii: ",")): return true
    case .mark(end): return false
    default: throw JSONParser.malformed("a comma is missing")
    }
  }

  /// Reads a number (section 6). A number without a fraction is exact if it fits in 64 bits.
  private func number(_ range: Range<Int>) throws(DecodingError) -> JSONValue {
    let text = String(decoding: bytes[range], as: UTF8.self)
    if let value = Int64(text) { return .integer(value) }
    // 3600.0, as some servers write it.
    let halves = text.split(atAny: ".")
    if halves.count == 2, halves[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }), let value = Int64(halves[0]) {
      return .integer(value)
    }
    guard let value = Double(text), value.isFinite else { throw JSONParser.malformed("a number is too large") }
    return Int64(exactly: value).map { .integer($0) } ?? .number(value)
  }

  private func string(_ range: Range<Int>) throws(DecodingError) -> String {
    let content = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
    let text: String?
    if content.contains(UInt8(ascii: "\\")) {
      text = String(validating: try unescaped(content), as: UTF8.self)
    } else {
      text = String(validating: content, as: UTF8.self)
    }
    guard let text else { throw JSONParser.malformed("a string is not UTF-8") }
    guard !text.hasEndlessMarks else { throw JSONParser.malformed("a string has too many marks in a row") }
    return text
  }

  /// Decodes the escapes of a string (section 7). The lexer has already checked them.
  private func unescaped(_ content: ArraySlice<UInt8>) throws(DecodingError) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var rest = content
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
        text.append(byte)
        continue
      }
      switch escape {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"): text.append(contentsOf: try character(&rest).utf8)
      default: text.append(escape)
      }
    }
    return text
  }

  /// Reads the character for the digits after `\u`. Characters outside the basic plane take two escapes (section 7);
  /// half of such a pair has no reliable meaning (section 8.2).
  private func character(_ rest: inout ArraySlice<UInt8>) throws(DecodingError) -> String {
    let malformed = JSONParser.malformed("a string has half of a surrogate pair")
    var units = [JSONParser.unit(&rest)]
    if UTF16.isLeadSurrogate(units[0]) {
      guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u") else { throw malformed }
      units.append(JSONParser.unit(&rest))
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw malformed }
    return text
  }

  private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt16 {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
  }
}

extension String {
  /// The maximum number of consecutive combining marks; Unicode allows 30 in streams (UAX #15, section 13).
  private static let mostMarks = 64

  /// Whether there are more consecutive combining marks than in any real text. Comparing or hashing a string sorts such
  /// a run in quadratic time.
  var hasEndlessMarks: Bool {
    // The first mark is U+0300. A run that is too long has more than 64 marks of two bytes or more.
    guard utf8.count > 2 * String.mostMarks, utf8.contains(where: { $0 >= 0xCC }) else { return false }
    var run = 0
    for scalar in unicodeScalars {
      run = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered ? run + 1 : 0
      guard run <= String.mostMarks else { return true }
    }
    return false
  }
}
