/// Looks at a profile's text before the TOML library does, for what that one can't take: it ends the process at a table
/// header without a name and at a `}` where an array's value should be, and runs out of stack in a name of many thousand
/// parts.
enum ProfileGuard {
  /// The largest file that is read, in bytes: a profile is a page of text.
  static let largest = 64 << 10
  private static let mostDots = 64

  /// What is wrong and in which line, counted from 1; nil where the text may be parsed.
  static func fault(in text: String) -> (line: Int, why: String)? {
    guard text.utf8.count <= largest else { return (1, "the file is larger than \(largest >> 10) KiB") }
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let content = line.drop { $0 == " " || $0 == "\t" }
      guard content.prefix(while: { $0 != "=" }).filter({ $0 == "." }).count <= mostDots else {
        return (index + 1, "a name has more than \(mostDots) parts")
      }
      guard content.hasPrefix("[") else { continue }
      let inside = content.dropFirst(content.hasPrefix("[[") ? 2 : 1).drop { $0 == " " || $0 == "\t" }
      let isNamed = inside.first.map { $0.isLetter || $0.isNumber || "_-\"'".contains($0) } ?? false
      guard isNamed else { return (index + 1, "the name of a table is missing after [") }
    }
    return lineOfStrayBrace(in: Array(text.utf8)).map { ($0, "a value is missing before }") }
  }

  /// The line in which, outside of strings and comments, a `}` comes right after `[` or `,`.
  private static func lineOfStrayBrace(in bytes: [UInt8]) -> Int? {
    var last: UInt8?
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "#"): index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        index = endOfString(bytes, from: index)
        last = byte
      case UInt8(ascii: "}") where last == UInt8(ascii: "[") || last == UInt8(ascii: ","):
        return bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1
      default:
        if ![0x20, 0x09, 0x0D, 0x0A].contains(byte) { last = byte }
        index += 1
      }
    }
    return nil
  }

  /// Where the string ends that begins here; a string that does not end is an error to everybody.
  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    let quote = bytes[start]
    let opening = bytes[start...].prefix { $0 == quote }.count
    // Two make an empty string.
    if opening == 2 { return start + 2 }
    let isLong = opening > 2
    var index = start + (isLong ? 3 : 1)
    while index < bytes.count {
      if bytes[index] == quote {
        let closing = bytes[index...].prefix { $0 == quote }.count
        if !isLong { return index + 1 }
        // Up to two quotes may stand before the three that end it.
        if closing > 2 { return index + min(closing, 5) }
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
