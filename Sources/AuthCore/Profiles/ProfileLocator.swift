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

  private let text: String

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
    // A CRLF line end is one `Character`.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      let indent = line.prefix { $0 == " " || $0 == "\t" }.count
      let content = line.dropFirst(indent)
      let wasInside = openQuote != nil
      openQuote = ProfileLocator.quoteOpen(after: line, from: openQuote)
      if wasInside { continue }
      let place = Place(line: index + 1, column: indent + 1)
      if content.hasPrefix("[") {
        let inner = content.drop { $0 == "[" }
        guard let (key, _) = ProfileLocator.dottedKey(inner) else { continue }
        table = key
        found.append((table, place))
      } else if let (key, rest) = ProfileLocator.dottedKey(content), rest.first == "=" {
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
        guard let end = rest.firstRange(of: quote) else { return open }
        rest = rest[end.upperBound...]
        open = nil
      } else if let start = ["\"\"\"", "'''"].compactMap({ quote in rest.firstRange(of: quote).map { (quote, $0) } })
        .min(by: { $0.1.lowerBound < $1.1.lowerBound })
      {
        open = start.0
        rest = rest[start.1.upperBound...]
      } else {
        return nil
      }
    }
    return open
  }

  /// Parses `a."b c".d`; returns its parts and the rest, without white space.
  private static func dottedKey(_ text: Substring) -> (key: [String], rest: Substring)? {
    var key: [String] = []
    var rest = text
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      if let quote = rest.first, quote == "\"" || quote == "'" {
        let inside = rest.dropFirst().prefix { $0 != quote }
        key.append(String(inside))
        rest = rest.dropFirst(inside.count + 2)
      } else {
        let bare = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        guard !bare.isEmpty else { return nil }
        key.append(String(bare))
        rest = rest.dropFirst(bare.count)
      }
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard rest.first == "." else { return (key, rest) }
      rest = rest.dropFirst()
    }
  }
}
