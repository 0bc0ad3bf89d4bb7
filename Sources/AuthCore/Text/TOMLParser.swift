/// Parses a document in TOML 1.0.0 in one pass.
struct TOMLParser {
  private var scanner: TOMLScanner
  private var tables = TOMLTables()
  /// The keys and table headers read so far.
  private(set) var keys: [TOMLDocument.Key] = []

  init(_ text: String) {
    scanner = TOMLScanner(text)
  }

  /// Parses the whole text.
  mutating func document() throws(TOMLDocument.Fault) -> [String: JSONValue] {
    var table = TOMLTables.root
    var path: [String] = []
    try scanner.skipLines()
    while !scanner.isAtEnd {
      if scanner.next == "[" {
        path = try header(opening: &table)
        try scanner.endLine(or: "not a table: its header is [NAME] on a line of its own")
      } else {
        try pair(in: table, path, arrays: 0)
        try scanner.endLine(or: "only a # comment can follow a value on its line")
      }
      try scanner.skipLines()
    }
    return tables.members(of: TOMLTables.root)
  }

  /// Parses `[a.b]` or `[[a.b]]`, and returns the path.
  private mutating func header(opening table: inout Int) throws(TOMLDocument.Fault) -> [String] {
    let place = scanner.place()
    _ = scanner.skip("[")
    let isElement = scanner.skip("[")
    scanner.skipBlanks()
    guard scanner.isAtName else { throw scanner.fault("the name of a table is missing after [") }
    let path = try dottedKey()
    guard scanner.skip("]"), !isElement || scanner.skip("]") else {
      throw scanner.fault("not a table: its header is [NAME] on a line of its own")
    }
    do throws(TOMLTables.Conflict) {
      table = try tables.open(path, isElement: isElement)
    } catch {
      throw conflict(path.prefix(error.count), at: place)
    }
    keys.append(.init(path: path, place: place))
    return path
  }

  /// Parses `a.b = VALUE`.
  ///
  /// - Parameters:
  ///   - base: the table of the header or of the braces around it.
  ///   - above: the path of this table.
  ///   - arrays: the number of arrays around it.
  private mutating func pair(in base: Int, _ above: [String], arrays: Int) throws(TOMLDocument.Fault) {
    let place = scanner.place()
    let key = try dottedKey()
    let path = above + key
    guard scanner.skip("=") else { throw scanner.fault("the = after a key is missing") }
    let table: Int
    do throws(TOMLTables.Conflict) {
      table = try tables.table(of: key, in: base)
    } catch {
      throw conflict(path.prefix(above.count + error.count), at: place)
    }
    keys.append(.init(path: path, place: place))
    scanner.skipBlanks()
    tables.set(key[key.count - 1], in: table, to: try value(path, arrays: arrays))
  }

  private mutating func dottedKey() throws(TOMLDocument.Fault) -> [String] {
    var path: [String] = []
    repeat {
      scanner.skipBlanks()
      path.append(try scanner.name())
      scanner.skipBlanks()
    } while scanner.skip(".")
    guard path.count <= JSONValue.depthLimit else {
      throw scanner.fault("a name has more than \(JSONValue.depthLimit) parts")
    }
    return path
  }

  /// Parses a value. The limit keeps the recursion from exhausting the stack.
  private mutating func value(_ path: [String], arrays: Int) throws(TOMLDocument.Fault) -> JSONValue {
    guard path.count + arrays <= JSONValue.depthLimit else {
      throw scanner.fault("a value is nested more than \(JSONValue.depthLimit) deep")
    }
    switch scanner.next {
    case "\"", "'": return .string(try scanner.string(mayHaveLines: true))
    case "[": return .array(try elements(path, arrays: arrays + 1))
    case "{": return .object(try inlineTable(path, arrays: arrays))
    default: return try scanner.literal()
    }
  }

  private mutating func elements(_ path: [String], arrays: Int) throws(TOMLDocument.Fault) -> [JSONValue] {
    var elements: [JSONValue] = []
    _ = scanner.skip("[")
    repeat {
      try scanner.skipLines()
      if scanner.next == "]" || scanner.isAtEnd { break }
      elements.append(try value(path, arrays: arrays))
      try scanner.skipLines()
    } while scanner.skip(",")
    guard scanner.skip("]") else { throw scanner.fault("a comma, or the closing ] of the array, is missing") }
    return elements
  }

  private mutating func inlineTable(
    _ path: [String], arrays: Int
  ) throws(TOMLDocument.Fault) -> [String: JSONValue] {
    let table = tables.addInline()
    _ = scanner.skip("{")
    scanner.skipBlanks()
    if scanner.skip("}") { return [:] }
    repeat {
      scanner.skipBlanks()
      guard scanner.isAtName else {
        throw scanner.fault("not a key: a table in braces is { KEY = VALUE, KEY = VALUE } on one line")
      }
      try pair(in: table, path, arrays: arrays)
      scanner.skipBlanks()
    } while scanner.skip(",")
    guard scanner.skip("}") else { throw scanner.fault("a comma, or the closing } of the table, is missing") }
    return tables.members(of: table)
  }

  /// Returns the error that a key or a table is defined a second time.
  private func conflict(_ path: ArraySlice<String>, at place: TOMLDocument.Place) -> TOMLDocument.Fault {
    let earlier = keys.last { $0.path.elementsEqual(path) } ?? keys.first { $0.path.starts(with: path) }
    let line = earlier.map { ", on line \($0.place.line)" } ?? ""
    return .init(place: place, why: "'\(Escaped.text(path.joined(separator: ".")))' is already there\(line)")
  }
}
