/// Finds errors in a profile's text that the TOML library can't handle.
///
/// The library ends the process at a table header without a name, at a `}` in place of an array's value and at some
/// malformed dates, and overflows the stack at a name with many thousand parts.
enum TOMLPrecheck {
  /// The maximum size of a file, in bytes: a profile is about a page of text.
  static let largest = 64 << 10
  private static let mostDots = 64

  /// Returns the error and its line, counted from 1; nil if the text may be parsed.
  static func fault(in text: String) -> (line: Int, why: String)? {
    guard text.utf8.count <= largest else { return (1, "the file is larger than \(largest >> 10) KiB") }
    // Bytes, not characters: the library sees a bracket even after a byte order mark or with a combining mark.
    let bytes = Array(text.utf8)
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let content = line.drop(while: isBlank)
      guard content.prefix(while: { $0 != UInt8(ascii: "=") }).count(where: { $0 == UInt8(ascii: ".") }) <= mostDots
      else { return (index + 1, "a name has more than \(mostDots) parts") }
      guard !String(decoding: line, as: UTF8.self).hasEndlessMarks else {
        return (index + 1, "a text has too many combining marks in a row")
      }
      guard content.first == UInt8(ascii: "[") else { continue }
      let inside = content.dropFirst(content.starts(with: "[[".utf8) ? 2 : 1).drop(while: isBlank)
      guard let first = inside.first, isNameBegin(first) else {
        return (index + 1, "the name of a table is missing after [")
      }
    }
    return faultOfValue(in: bytes)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether a name, which may be quoted, may begin with a byte (TOML 1.0.0).
  private static func isNameBegin(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "\"", "'": true
    default: false
    }
  }

  /// Returns an error in a value outside of strings and comments. Such errors are a `}` right after `[` or `,`, and a
  /// date or a time, which no profile uses.
  private static func faultOfValue(in bytes: [UInt8]) -> (line: Int, why: String)? {
    func line(_ index: Int) -> Int { bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1 }
    var last: UInt8?
    var index = 0
    // Before this index no value has a `:`, so that no part of a long value is searched again.
    var plain = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "#"): index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        index = endOfString(bytes, from: index)
        last = byte
      case UInt8(ascii: "}") where last == UInt8(ascii: "[") || last == UInt8(ascii: ","):
        return (line(index), "a value is missing before }")
      case 0x20, 0x09, 0x0D, 0x0A:
        index += 1
      case _ where last.map({ "=[,".utf8.contains($0) }) == true && isDate(bytes[index...], &plain):
        return (line(index), "there is a date or a time, which a profile does not have")
      default:
        last = byte
        index += 1
      }
    }
    return nil
  }

  /// Whether the unquoted value begins like a number but is a date or a time. No number has a `:`, or a `-` after four
  /// digits.
  private static func isDate(_ rest: ArraySlice<UInt8>, _ plain: inout Int) -> Bool {
    guard let first = rest.first, (0x30...0x39).contains(first) || "+-".utf8.contains(first) else { return false }
    let isYear = rest.prefix(4).count { (0x30...0x39).contains($0) } == 4
    if isYear, rest.dropFirst(4).first == UInt8(ascii: "-") { return true }
    guard rest.startIndex >= plain else { return false }
    let value = rest.prefix { !" \t\r\n,]}#\"'=".utf8.contains($0) }
    plain = value.endIndex
    return value.contains(UInt8(ascii: ":"))
  }

  /// Returns the end of the string that begins here; a string without an end is an error for any parser.
  static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    let quote = bytes[start]
    let opening = bytes[start...].prefix(3).prefix { $0 == quote }.count
    // Two quotes are an empty string.
    if opening == 2 { return start + 2 }
    let isLong = opening > 2
    var index = start + (isLong ? 3 : 1)
    while index < bytes.count {
      if bytes[index] == quote {
        if !isLong { return index + 1 }
        // Up to two quotes may precede the three that end it.
        let closing = bytes[index...].prefix(5).prefix { $0 == quote }.count
        if closing > 2 { return index + closing }
        index += closing
      } else if bytes[index] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        index += 2
      } else if bytes[index] == UInt8(ascii: "\n"), !isLong {
        return index
      } else {
        index += 1
      }
    }
    return bytes.count
  }
}
