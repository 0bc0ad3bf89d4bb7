/// Reads the parts of a TOML text: names, strings, other values, and what may stand between them.
struct TOMLScanner {
  private let bytes: [UInt8]
  private var index: Int
  // The place of the byte at `counted`, which is not after `index`.
  private var counted: Int
  private var line = 1
  private var column = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    counted = index
  }

  /// Whether the text ends here.
  var isAtEnd: Bool { index == bytes.count }

  /// The next byte; U+0000, which no part of a text has, at the end.
  var next: Unicode.Scalar { byte(at: index) }

  private func byte(at index: Int) -> Unicode.Scalar { Unicode.Scalar(index < bytes.count ? bytes[index] : 0) }

  /// Returns the place of the next byte. Each byte is counted once.
  mutating func place() -> TOMLDocument.Place {
    for byte in bytes[counted..<index] {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    counted = index
    return .init(line: line, column: column)
  }

  /// Returns an error at the next byte.
  mutating func fault(_ why: String) -> TOMLDocument.Fault { .init(place: place(), why: why) }

  // MARK: - Between the values

  /// Skips this byte; returns false if the next one is another.
  mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    guard next == mark else { return false }
    index += 1
    return true
  }

  mutating func skipBlanks() { while next == " " || next == "\t" { index += 1 } }

  /// Skips blanks, comments and line ends.
  mutating func skipLines() throws(TOMLDocument.Fault) { repeat { try skipComment() } while skipLineEnd() }

  /// Skips the rest of a line.
  ///
  /// - Parameter why: the error if anything but a comment follows.
  mutating func endLine(or why: String) throws(TOMLDocument.Fault) {
    try skipComment()
    guard isAtEnd || skipLineEnd() else { throw fault(why) }
  }

  private mutating func skipComment() throws(TOMLDocument.Fault) {
    skipBlanks()
    guard skip("#") else { return }
    while isAtText { index += 1 }
    guard isAtEnd || isAtLineEnd else { throw fault("a comment contains a control character") }
  }

  private var isAtLineEnd: Bool { next == "\n" || next == "\r" && byte(at: index + 1) == "\n" }

  private mutating func skipLineEnd() -> Bool {
    guard isAtLineEnd else { return false }
    index += next == "\r" ? 2 : 1
    return true
  }

  /// Whether the next byte may stand in a comment or a string: it is part of a line and no control character.
  private var isAtText: Bool { next >= " " && next != "\u{7F}" || next == "\t" }

  // MARK: - Names and strings

  /// Whether a name may begin here.
  var isAtName: Bool { isInBareName || next == "\"" || next == "'" }

  private var isInBareName: Bool {
    switch next {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
    default: false
    }
  }

  /// Reads one part of a dotted key.
  mutating func name() throws(TOMLDocument.Fault) -> String {
    guard isAtName else { throw fault("not a key: a line is KEY = VALUE, [TABLE] or a # comment") }
    guard isInBareName else { return try string(mayHaveLines: false) }
    let start = index
    while isInBareName { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Reads a string in its quotes; three of them begin a string of several lines, unless it is a name.
  mutating func string(mayHaveLines: Bool) throws(TOMLDocument.Fault) -> String {
    let start = place()
    let quote = bytes[index]
    let hasLines = mayHaveLines && bytes[index...].prefix(3).elementsEqual(repeatElement(quote, count: 3))
    index += hasLines ? 3 : 1
    if hasLines { _ = skipLineEnd() }
    var text: [UInt8] = []
    while !skipQuotes(quote, hasLines: hasLines, into: &text) {
      if next == "\\", quote == UInt8(ascii: "\"") {
        try unescape(into: &text, hasLines: hasLines)
      } else if hasLines, skipLineEnd() {
        text.append(UInt8(ascii: "\n"))
      } else if isAtText {
        text.append(bytes[index])
        index += 1
      } else if isAtEnd || isAtLineEnd {
        throw .init(place: start, why: "the closing quote of a string is missing")
      } else {
        throw fault("a string contains a control character")
      }
    }
    let string = String(decoding: text, as: UTF8.self)
    guard !string.hasEndlessMarks else {
      throw .init(place: start, why: "a text has too many combining marks in a row")
    }
    return string
  }

  /// Skips quotes in a string, and returns whether they end it.
  private mutating func skipQuotes(_ quote: UInt8, hasLines: Bool, into text: inout [UInt8]) -> Bool {
    let closing = hasLines ? 3 : 1
    // Up to two quotes may precede the three that end it.
    let quotes = bytes[index...].prefix(hasLines ? 5 : 1).prefix { $0 == quote }
    index += quotes.count
    text += quotes.count < closing ? quotes : quotes.dropFirst(closing)
    return quotes.count >= closing
  }

  /// Reads an escape, or a backslash at the end of a line with all white space that follows it.
  private mutating func unescape(into text: inout [UInt8], hasLines: Bool) throws(TOMLDocument.Fault) {
    let start = index
    index += 1
    let letter = next
    if hasLines, letter == " " || letter == "\t" || isAtLineEnd {
      skipBlanks()
      guard skipLineEnd() else { throw unknownEscape(at: start) }
      repeat { skipBlanks() } while skipLineEnd()
      return
    }
    index += 1
    switch letter {
    case "\"", "\\": text.append(UInt8(letter.value))
    case "b": text.append(0x08)
    case "t": text.append(0x09)
    case "n": text.append(0x0A)
    case "f": text.append(0x0C)
    case "r": text.append(0x0D)
    case "u", "U":
      let digits = bytes.dropFirst(index).prefix(letter == "u" ? 4 : 8)
      guard digits.count == (letter == "u" ? 4 : 8), digits.allSatisfy({ $0.hexadecimalValue != nil }),
        let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(number)
      else { throw unknownEscape(at: start) }
      text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      index += digits.count
    default: throw unknownEscape(at: start)
    }
  }

  private mutating func unknownEscape(at start: Int) -> TOMLDocument.Fault {
    index = start
    return fault("unknown escape in a string: a backslash is \\\\, or use single quotes")
  }

  // MARK: - Other values

  /// Reads a value without quotes.
  mutating func literal() throws(TOMLDocument.Fault) -> JSONValue {
    let start = place()
    let begin = index
    skipWord()
    // A space may be between a date and a time.
    if index == begin + 10, byte(at: begin + 4) == "-", next == " ", "0"..."9" ~= byte(at: index + 1) {
      index += 1
      skipWord()
    }
    guard index > begin || !isAtEnd && !isAtLineEnd && !"#,]}".unicodeScalars.contains(next) else {
      throw fault("a value is missing")
    }
    do throws(TOMLLiteral.Malformed) {
      return try TOMLLiteral.value(bytes[begin..<index])
    } catch .tooLarge {
      throw .init(place: start, why: "a number does not fit in 64 bits")
    } catch {
      let why = "not a value: a string needs quotes, and only numbers, true and false need none"
      throw .init(place: start, why: why)
    }
  }

  private mutating func skipWord() { while isInBareName || next == "." || next == ":" || next == "+" { index += 1 } }
}
