import AuthCore
import FoundationEssentials

/// A JSON object on one line (RFC 8259), put together member by member in the order in which they are to stand.
struct JSONLine {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  /// The object with its line feed.
  var line: [UInt8] { bytes + [UInt8(ascii: "}"), UInt8(ascii: "\n")] }

  /// Adds a member with a string.
  mutating func add(_ name: String, _ text: String) {
    begin(name)
    append(text)
  }

  /// Adds a member with a whole number.
  mutating func add(_ name: String, _ number: Int) {
    begin(name)
    bytes += String(number).utf8
  }

  /// Adds a member with seconds, to the microsecond.
  mutating func add(_ name: String, seconds duration: Duration) {
    begin(name)
    let microseconds = String(Int64(max(0, duration.seconds) * 1e6))
    let digits = String(repeating: "0", count: max(0, 7 - microseconds.count)) + microseconds
    bytes += digits.dropLast(6).utf8 + [UInt8(ascii: ".")] + digits.suffix(6).utf8
  }

  /// Adds a member with an object whose members are arrays of strings.
  mutating func add(_ name: String, _ members: [(name: String, values: [String])]) {
    begin(name)
    bytes.append(UInt8(ascii: "{"))
    for (name, values) in members {
      begin(name)
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(value)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Adds a member with any value.
  mutating func add(_ name: String, _ value: JSONValue) {
    begin(name)
    // There is nothing in what is written here that JSON has no form for.
    bytes += ((try? value.text()) ?? "null").utf8
  }

  private mutating func begin(_ name: String) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    append(name)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    bytes.reserveCapacity(bytes.count + text.utf8.count + 2)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): appendEscape(byte)
      case UInt8(ascii: "\n"): appendEscape(UInt8(ascii: "n"))
      case UInt8(ascii: "\r"): appendEscape(UInt8(ascii: "r"))
      case UInt8(ascii: "\t"): appendEscape(UInt8(ascii: "t"))
      case ..<0x20:
        appendEscape(UInt8(ascii: "u"))
        bytes += (byte < 0x10 ? "000" : "00").utf8
        bytes += String(byte, radix: 16).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(byte)
  }
}
