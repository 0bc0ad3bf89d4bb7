/// Reads the values that TOML 1.0.0 writes without quotes.
enum TOMLLiteral {
  /// Why a word is not a value.
  enum Malformed: Error {
    case unknown, tooLarge
  }

  /// Reads a word of letters, digits and `+-_.:`; a date or a time, which may have a space between them, becomes null.
  static func value(_ word: ArraySlice<UInt8>) throws(Malformed) -> JSONValue {
    if word.elementsEqual("true".utf8) { return .bool(true) }
    if word.elementsEqual("false".utf8) { return .bool(false) }
    if isMoment(word) { return .null }
    guard let number = withoutUnderscores(word) else { throw .unknown }
    return try self.number(number)
  }

  private static func isDigit(_ byte: UInt8, _ radix: Int) -> Bool { byte.hexadecimalValue.map { $0 < radix } ?? false }

  /// Removes underscores; returns nil if one is not between two digits.
  private static func withoutUnderscores(_ word: ArraySlice<UInt8>) -> [UInt8]? {
    let radix = word.starts(with: "0x".utf8) ? 16 : 10
    let parts = word.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    for (part, next) in zip(parts, parts.dropFirst()) {
      guard let last = part.last, let first = next.first, isDigit(last, radix), isDigit(first, radix) else {
        return nil
      }
    }
    return Array(parts.joined())
  }

  private static func number(_ word: [UInt8]) throws(Malformed) -> JSONValue {
    let radix = ["0x": 16, "0o": 8, "0b": 2].first { word.starts(with: $0.key.utf8) }?.value ?? 10
    var rest = word.dropFirst(radix == 10 ? 0 : 2)
    let text = String(decoding: rest, as: UTF8.self)
    if radix == 10 { skip("+-", &rest) }
    let isWord = rest.elementsEqual("inf".utf8) || rest.elementsEqual("nan".utf8)
    if radix == 10, isWord, let number = Double(text) { return .number(number) }
    let digits = rest.prefix { isDigit($0, radix) }
    guard !digits.isEmpty, radix != 10 || digits.count == 1 || digits.first != UInt8(ascii: "0") else { throw .unknown }
    guard digits.count < rest.count else {
      guard let number = Int64(text, radix: radix) else { throw .tooLarge }
      return .integer(number)
    }
    let fraction = rest.dropFirst(digits.count)  // bytes
    guard radix == 10, isFraction(fraction), let number = Double(text) else { throw .unknown }
    return .number(number)
  }

  /// Whether this follows the whole part of a number: `.5`, `e-3`, `.5e3`.
  private static func isFraction(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    if skip(".", &rest), !skipDigits(&rest) { return false }
    guard skip("eE", &rest) else { return rest.isEmpty }
    skip("+-", &rest)
    return skipDigits(&rest) && rest.isEmpty
  }

  /// Whether a word is a date, a time or both (RFC 3339, section 5.6), without leap seconds.
  private static func isMoment(_ word: ArraySlice<UInt8>) -> Bool {
    var rest = word
    let date = numbers(&rest, [4, 2, 2], "-")
    if let date {
      let isLeapYear = date[0] % 4 == 0 && (date[0] % 100 != 0 || date[0] % 400 == 0)
      let days = [0, 31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      guard 1...12 ~= date[1], 1...days[date[1]] ~= date[2] else { return false }
      guard skip("Tt ", &rest) else { return rest.isEmpty }
    }
    guard let time = numbers(&rest, [2, 2, 2], ":"), time[0] < 24, time[1] < 60, time[2] < 60 else { return false }
    if skip(".", &rest), !skipDigits(&rest) { return false }
    guard date != nil, !skip("Zz", &rest), skip("+-", &rest) else { return rest.isEmpty }
    guard let offset = numbers(&rest, [2, 2], ":") else { return false }
    return offset[0] < 24 && offset[1] < 60 && rest.isEmpty
  }

  /// Skips numbers of so many digits; returns nil if anything else is there.
  private static func numbers(_ rest: inout ArraySlice<UInt8>, _ widths: [Int], _ divider: String) -> [Int]? {
    var (numbers, after) = ([Int](), rest)
    for width in widths {
      if !numbers.isEmpty, !skip(divider, &after) { return nil }
      let digits = after.prefix(width).prefix { isDigit($0, 10) }
      guard digits.count == width else { return nil }
      numbers.append(digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) })
      after = after.dropFirst(width)
    }
    rest = after
    return numbers
  }

  private static func skipDigits(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let count = rest.prefix { isDigit($0, 10) }.count
    rest = rest.dropFirst(count)  // bytes
    return count > 0
  }

  /// Skips one of these bytes; returns false if another one follows.
  @discardableResult private static func skip(_ bytes: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let next = rest.first, bytes.utf8.contains(next) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
