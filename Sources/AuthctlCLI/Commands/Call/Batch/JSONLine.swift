import AuthCore

/// A JSON object on one line (RFC 8259), with its members in the order in which they are added.
struct JSONLine {
  private var writer = JSONWriter()

  /// Starts with an object without members.
  ///
  /// - Parameter size: the expected length of the line, in bytes.
  init(size: Int = 0) {
    writer.reserve(size)
    writer.append(mark: "{")
  }

  /// Ends the object.
  ///
  /// - Returns: the object with its line feed.
  consuming func ended() -> [UInt8] {
    writer.append("}\n".utf8)
    return writer.bytes
  }

  /// Adds a member with a string.
  mutating func add(_ name: String, _ text: String) {
    writer.begin(name)
    writer.append(text)
  }

  /// Adds a member with a whole number.
  mutating func add(_ name: String, _ number: Int) {
    writer.begin(name)
    writer.append(String(number).utf8)
  }

  /// Adds a member with seconds, to the microsecond.
  mutating func add(_ name: String, seconds duration: Duration) {
    writer.begin(name)
    let (seconds, attoseconds) = max(.zero, duration).components
    writer.append("\(seconds).\(Int(attoseconds / 1_000_000_000_000).digits(6))".utf8)
  }

  /// Adds a member with a value that is JSON already.
  mutating func add(_ name: String, json value: [UInt8]) {
    writer.begin(name)
    writer.append(json: value)
  }

  /// Adds a member with any value.
  mutating func add(_ name: String, _ value: JSONValue) {
    writer.begin(name)
    // Every value that is written here has a JSON form.
    writer.append(((try? value.text()) ?? "null").utf8)
  }
}
