import AuthCore

/// The text of a profile's file, in which keys can be set without losing comments.
///
/// Each key stands on one line with its value.
struct ProfileText: Sendable {
  private var lines: [Substring]

  /// Reads the text of a file.
  init(_ text: String) { lines = text.split(atAny: "\n", omittingEmptySubsequences: false) }

  /// The text.
  var string: String { lines.joined(separator: "\n") }

  /// Returns whether a key has a value.
  func has(_ key: ProfileKey) -> Bool { places(of: key.table)?.contains { sets(lines[$0], key) } == true }

  /// Sets a key: on the line that has it, else on the comment that shows it, else after the last key of its table.
  mutating func set(_ key: ProfileKey, to value: JSONValue) {
    let line = "\(key.name) = \(value.toml)"[...]
    guard let places = places(of: key.table) else {
      let end = lines.lastIndex { !$0.isEmpty } ?? lines.startIndex
      return lines.insert(contentsOf: ["", "[\(key.table)]", line], at: end + 1)
    }
    let place =
      places.first { sets(lines[$0], key) }
      ?? places.first { lines[$0].starts(withBytes: "# ") && sets(lines[$0].dropFirst(2), key) }
    if let place {
      lines[place] = line
    } else {
      lines.insert(line, at: end(of: places))
    }
  }

  /// Returns the text with another key, on a line of its own after the last key of its table.
  func adding(_ key: ProfileKey, _ value: JSONValue) -> String {
    var text = self
    // Comments of the user that show the key stay as they are.
    let line = "\(key.name) = \(value.toml)"[...]
    if let places = places(of: key.table) {
      text.lines.insert(line, at: end(of: places))
    } else {
      text.set(key, to: value)
    }
    return text.string
  }

  /// Returns the place after the last key of a table.
  private func end(of places: Range<Int>) -> Int {
    let last = places.last { !lines[$0].isEmpty && !lines[$0].starts(withBytes: "#") }
    return last.map { $0 + 1 } ?? places.lowerBound
  }

  /// Returns the places of a table's lines without its header; the lines above all tables if the name is empty, nil if
  /// there is no such table.
  private func places(of table: String) -> Range<Int>? {
    var start = lines.startIndex
    if !table.isEmpty {
      guard let header = lines.firstIndex(where: { $0.isEqual(toBytes: "[\(table)]") }) else { return nil }
      start = header + 1
    }
    return start..<(lines[start...].firstIndex { $0.starts(withBytes: "[") } ?? lines.endIndex)
  }

  private func sets(_ line: Substring, _ key: ProfileKey) -> Bool { line.starts(withBytes: "\(key.name) = ") }
}
