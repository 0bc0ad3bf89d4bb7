/// The keys in a profile's file and their lines, for callers that show a profile instead of using it.
package struct ProfileOutline: Sendable, Equatable {
  /// One key.
  package struct Entry: Sendable, Equatable {
    /// The tables that it is in, and its own name: `["header", "name"]`.
    package let path: [String]
    /// Its value.
    package let value: JSONValue
    /// The line in the file, counted from 1; nil if only the TOML library found the key.
    package let line: Int?

    /// The path in TOML syntax: `header.name`.
    package var key: String { path.joined(separator: ".") }
  }

  /// The keys in the order of the file.
  package let entries: [Entry]

  /// Reads the text of a profile, which must be valid for `Profile`.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it is not TOML.
  package init(toml text: String, file: String, name: ProfileName) throws(AuthError) {
    let root = try ProfileSource(name: name, file: file, text: text).members()
    var lines: [[String]: Int] = [:]
    for (path, place) in ProfileLocator(text).keyPlaces() { lines[path] = lines[path] ?? place.line }
    entries = ProfileOutline.entries(root, below: [], lines: lines)
      .sorted { ($0.line ?? .max, $0.key) < ($1.line ?? .max, $1.key) }
  }

  /// Returns the value of a key; nil if the file does not state it.
  package subscript(_ key: String) -> JSONValue? { entries.first { $0.key == key }?.value }

  private static func entries(
    _ table: [String: JSONValue], below path: [String], lines: [[String]: Int]
  ) -> [Entry] {
    table.flatMap { key, value -> [Entry] in
      let path = path + [key]
      if case .object(let inner) = value { return entries(inner, below: path, lines: lines) }
      // A key of an inline table has the line of that table.
      let known = (1...path.count).reversed().lazy.compactMap { lines[Array(path.prefix($0))] }.first
      return [Entry(path: path, value: value, line: known)]
    }
  }
}
