/// Splits JSON into its tokens (RFC 8259), which are not decoded.
package struct JSONLexer {
  /// One token and its position.
  package enum Token: Equatable {
    /// `{`, `}`, `[`, `]`, `:` or `,`.
    case mark(UInt8)
    /// A string with its quotation marks.
    case string(Range<Int>)
    /// A number.
    case number(Range<Int>)
    /// `true`, `false` or `null`.
    case word(Range<Int>)
  }

  /// The text.
  package let bytes: ArraySlice<UInt8>
  private var position: Int

  /// Creates a lexer for a text, which must be UTF-8.
  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Returns whether only white space is left.
  package mutating func isAtEnd() -> Bool {
    while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    return current == nil
  }

  /// Returns the next token; nil if there is none or it is not valid JSON.
  package mutating func next() -> Token? {
    guard !isAtEnd(), let byte = current else { return nil }
    let start = position
    switch byte {
    case UInt8(ascii: "\""): return endString() ? .string(start..<position) : nil
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return endNumber() ? .number(start..<position) : nil
    case UInt8(ascii: "t"): return skip("true") ? .word(start..<position) : nil
    case UInt8(ascii: "f"): return skip("false") ? .word(start..<position) : nil
    case UInt8(ascii: "n"): return skip("null") ? .word(start..<position) : nil
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"),
      UInt8(ascii: ","):
      position += 1
      return .mark(byte)
    default: return nil
    }
  }

  private var current: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func skip(_ text: StaticString) -> Bool {
    let expected = "\(text)".utf8
    guard bytes[position...].starts(with: expected) else { return false }
    position += expected.count
    return true
  }

  /// Reads a string (section 7): no control characters, and only the eight short escapes and `\uXXXX`.
  private mutating func endString() -> Bool {
    position += 1
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\"") { return true }
      guard byte >= 0x20 else { return false }
      guard byte == UInt8(ascii: "\\") else { continue }
      guard let escape = current, "\"\\/bfnrtu".utf8.contains(escape) else { return false }
      position += 1
      guard escape == UInt8(ascii: "u") else { continue }
      let digits = bytes[position...].prefix(4)
      guard digits.count == 4, digits.allSatisfy(JSONLexer.isHexadecimal) else { return false }
      position += 4
    }
    return false
  }

  /// Reads a number (section 6): an integer without leading zeros, a fraction, an exponent.
  private mutating func endNumber() -> Bool {
    if current == UInt8(ascii: "-") { position += 1 }
    let startsWithZero = current == UInt8(ascii: "0")
    let count = skipDigits()
    guard count == 1 || count > 1 && !startsWithZero else { return false }
    if current == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() > 0 else { return false }
    }
    guard current == UInt8(ascii: "e") || current == UInt8(ascii: "E") else { return true }
    position += 1
    if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
    return skipDigits() > 0
  }

  private mutating func skipDigits() -> Int {
    let count = bytes[position...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    position += count
    return count
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
