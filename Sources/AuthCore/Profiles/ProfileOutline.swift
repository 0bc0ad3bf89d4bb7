/// The keys in a profile's file and their lines, for callers that show a profile instead of using it.
package struct ProfileOutline: Sendable, Equatable {
  /// One key.
  package struct Entry: Sendable, Equatable {
    /// The tables that it is in, and its own name: `["header", "name"]`.
    package let path: [String]
    /// Its value.
    package let value: JSONValue
    /// The line in the file, counted from 1.
    package let line: Int

    /// The path in TOML syntax: `header.name`.
    package var key: String { path.joined(separator: ".") }
  }

  /// The keys in the order of the file.
  package let entries: [Entry]

  /// Reads the text of a profile.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it is not TOML.
  package init(toml text: String, file: String, name: ProfileName) throws(AuthError) {
    let document = try ProfileSource(name: name, file: file, text: text).document
    var seen: Set<[String]> = []
    entries = document.keys.compactMap { key in
      // Each element of an array of tables has a header with the same name.
      guard seen.insert(key.path).inserted else { return nil }
      let value = key.path.reduce(JSONValue.object(document.members)) { $0?[$1] }
      if case .object = value { return nil }
      return value.map { Entry(path: key.path, value: $0, line: key.place.line) }
    }
  }

  /// Returns the value of a key; nil if the file does not state it.
  package subscript(_ key: String) -> JSONValue? { entries.first { $0.key == key }?.value }
}
