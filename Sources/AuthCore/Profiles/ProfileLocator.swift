/// Finds the line and column of a key in a valid TOML text.
///
/// The TOML library reports the location of a syntax error but not that of a value. This type reads only part of the
/// syntax: table headers, keys at the start of a line, and multi-line strings.
struct ProfileLocator {
  /// A location in a text; both numbers count from 1, the column in characters.
  struct Place: Equatable {
    let line: Int
    let column: Int
  }

  /// The whole text.
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Returns the location of a key; nil if not found. For a key in an inline table, it is that of the nearest table
  /// around it.
  func place(of path: [String]) -> Place? {
    let keys = keyPlaces()
    var wanted = path
    while !wanted.isEmpty {
      if let found = keys.first(where: { $0.path == wanted }) { return found.place }
      wanted.removeLast()
    }
    return nil
  }

  /// Returns all keys and table headers at the start of a line, with full paths, in text order.
  func keyPlaces() -> [(path: [String], place: Place)] {
    var table: [String] = []
    var openQuote: String?
    var found: [(path: [String], place: Place)] = []
    let lines = text.split(atAny: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let content = line.drop(anyOf: " \t")
      let indent = line.utf8.count - content.utf8.count
      let wasInside = openQuote != nil
      openQuote = ProfileLocator.quoteOpen(after: line, from: openQuote)
      if wasInside { continue }
      let place = Place(line: index + 1, column: indent + 1)
      if content.starts(withBytes: "[") {
        let inner = content.drop(anyOf: "[")
        guard let (key, _) = ProfileLocator.dottedKey(inner) else { continue }
        table = key
        found.append((table, place))
      } else if let (key, rest) = ProfileLocator.dottedKey(content), rest.starts(withBytes: "=") {
        found.append((table + key, place))
      }
    }
    return found
  }

  /// Returns the quote of a multi-line string that is still open at the end of a line.
  private static func quoteOpen(after line: Substring, from open: String?) -> String? {
    var open = open
    var rest = line
    while !rest.isEmpty {
      if let quote = open {
        guard let end = rest.firstRange(ofBytes: quote) else { return open }
        rest = rest[end.upperBound...]
        open = nil
      } else if let start = rest.utf8.indices.first(where: { isQuote(rest.utf8[$0...]) }) {
        let end = rest.utf8.index(start, offsetBy: 3)
        open = String(rest[start..<end])
        rest = rest[end...]
      } else {
        return nil
      }
    }
    return open
  }

  /// Whether a text begins with three quotation marks.
  private static func isQuote(_ text: Substring.UTF8View) -> Bool {
    text.starts(with: "\"\"\"".utf8) || text.starts(with: "'''".utf8)
  }

  /// Parses `a."b c".d`; returns its parts and the rest, without white space.
  static func dottedKey(_ text: Substring) -> (key: [String], rest: Substring)? {
    var key: [String] = []
    var rest = text
    while true {
      rest = rest.drop(anyOf: " \t")
      if let quote = ["\"", "'"].first(where: { rest.starts(withBytes: $0) }) {
        let inside = rest.suffix(after: rest.startIndex).prefix(upToAny: quote)
        key.append(String(inside))
        rest = rest[inside.endIndex...]
        rest = rest.dropping(prefix: quote) ?? rest
      } else {
        let bare = rest.prefix(upToAny: " \t\r.=[]{}\"'#,")
        guard !bare.isEmpty else { return nil }
        key.append(String(bare))
        rest = rest[bare.endIndex...]
      }
      rest = rest.drop(anyOf: " \t")
      guard let next = rest.dropping(prefix: ".") else { return (key, rest) }
      rest = next
    }
  }
}
