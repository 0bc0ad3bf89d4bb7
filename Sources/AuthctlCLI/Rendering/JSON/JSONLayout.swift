import AuthCore

/// JSON in lines and colours for a reader. Only the white space between its tokens changes: numbers, strings, the order
/// of keys and keys that stand there twice stay as they are.
struct JSONLayout: Sendable {
  /// How deep lists and objects may stand in one another: the indentation would outgrow the text.
  static let deepest = 100

  /// Whether it is coloured.
  let colour: Bool

  /// The value in lines, each with its end; nil where the text is not one whole value, and nothing where it is empty.
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

  /// Appends the value that begins with a token; false where it is malformed.
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
