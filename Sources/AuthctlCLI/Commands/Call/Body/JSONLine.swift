import AuthCore

/// A JSON object on one line (RFC 8259), with its members in the order in which they are added.
struct JSONLine {
  private var writer = JSONWriter()
  private var isFirst = true

  /// Starts with an object without members.
  init() { writer.append("{".utf8) }

  /// The object with its line feed.
  var line: [UInt8] { writer.bytes + [UInt8(ascii: "}"), UInt8(ascii: "\n")] }

  /// Adds a member with a string.
  mutating func add(_ name: String, _ text: String) {
    begin(name)
    writer.append(text)
  }

  /// Adds a member with a whole number.
  mutating func add(_ name: String, _ number: Int) {
    begin(name)
    writer.append(String(number).utf8)
  }

  /// Adds a member with seconds, to the microsecond.
  mutating func add(_ name: String, seconds duration: Duration) {
    begin(name)
    let microseconds = String(Int64(max(0, duration.seconds) * 1e6))
    let digits = String(repeating: "0", count: max(0, 7 - microseconds.count)) + microseconds
    writer.append((digits.dropLast(6) + "." + digits.suffix(6)).utf8)
  }

  /// Adds a member with an object whose members are arrays of strings.
  mutating func add(_ name: String, _ members: [(name: String, values: [String])]) {
    begin(name)
    writer.append("{".utf8)
    isFirst = true
    for (name, values) in members {
      begin(name)
      writer.append("[".utf8)
      for (index, value) in values.enumerated() {
        if index > 0 { writer.append(",".utf8) }
        writer.append(value)
      }
      writer.append("]".utf8)
    }
    writer.append("}".utf8)
    isFirst = false
  }

  /// Adds a member with any value.
  mutating func add(_ name: String, _ value: JSONValue) {
    begin(name)
    // Every value that is written here has a JSON form.
    writer.append(((try? value.text()) ?? "null").utf8)
  }

  private mutating func begin(_ name: String) {
    if !isFirst { writer.append(",".utf8) }
    isFirst = false
    writer.append(name)
    writer.append(":".utf8)
  }
}
