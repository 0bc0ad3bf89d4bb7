import AuthCore

/// Formats JSON in lines and colours. Only the white space between its tokens changes: numbers, strings, the order of
/// keys and duplicate keys stay as they are.
struct JSONLayout: Sendable {
  /// The deepest nesting of arrays and objects: beyond it the indentation would be longer than the text.
  static let deepest = 100

  /// Whether the output is coloured.
  let colour: Bool

  /// Returns the value in lines; nil if the text is not one complete value. Empty for an empty text.
  func text(of bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var lexer = JSONLexer(bytes)
    guard !lexer.isAtEnd() else { return [] }
    var lines = JSONLines(bytes: bytes, colour: colour)
    guard let token = lexer.next(), JSONLayout.append(token, depth: 0, &lexer, &lines), lexer.isAtEnd() else {
      return nil
    }
    return lines.text + [UInt8(ascii: "\n")]
  }

  /// Appends the value that begins with a token; false if it is malformed.
  private static func append(
    _ token: JSONLexer.Token, depth: Int, _ lexer: inout JSONLexer, _ lines: inout JSONLines
  ) -> Bool {
    switch token {
    case .string(let range): lines.append(string: range)
    case .number(let range): lines.append(number: range)
    case .word(let range): lines.append(word: range)
    case .mark(UInt8(ascii: "{")): return appendMembers(isObject: true, depth: depth + 1, &lexer, &lines)
    case .mark(UInt8(ascii: "[")): return appendMembers(isObject: false, depth: depth + 1, &lexer, &lines)
    case .mark: return false
    }
    return true
  }

  private static func appendMembers(
    isObject: Bool, depth: Int, _ lexer: inout JSONLexer, _ lines: inout JSONLines
  ) -> Bool {
    let end = UInt8(ascii: isObject ? "}" : "]")
    lines.append(mark: UInt8(ascii: isObject ? "{" : "["))
    guard depth <= deepest, var token = lexer.next() else { return false }
    if token == .mark(end) {
      lines.append(mark: end)
      return true
    }
    while true {
      lines.breakLine(depth)
      if isObject {
        guard case .string(let key) = token, lexer.next() == .mark(UInt8(ascii: ":")), let value = lexer.next() else {
          return false
        }
        lines.append(key: key)
        token = value
      }
      guard append(token, depth: depth, &lexer, &lines), let after = lexer.next() else { return false }
      if after == .mark(end) {
        lines.breakLine(depth - 1)
        lines.append(mark: end)
        return true
      }
      guard after == .mark(UInt8(ascii: ",")), let next = lexer.next() else { return false }
      lines.append(mark: UInt8(ascii: ","))
      token = next
    }
  }
}
