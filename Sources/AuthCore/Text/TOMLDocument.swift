/// A document in TOML 1.0.0: its values, and the place of each key.
struct TOMLDocument {
  /// A place in a text. Both numbers count from 1, the column in code points, as editors count.
  struct Place: Equatable {
    let line: Int
    let column: Int
  }

  /// A key or the name in a table header, with the tables that it is in.
  struct Key {
    let path: [String]
    let place: Place
  }

  /// Why a text is not TOML, and where.
  struct Fault: Error, Equatable {
    let place: Place
    let why: String
  }

  /// The maximum size of a text, in bytes: a profile is about a page.
  static let sizeLimit = 64 << 10

  /// The keys above all tables, and the tables, with their values. A date or a time is null.
  let members: [String: JSONValue]
  /// All keys and table headers in the order of the text, those in inline tables, too.
  let keys: [Key]

  /// Reads a text, in linear time; a leading byte order mark is ignored.
  ///
  /// Names that Unicode regards as equivalent are the same key.
  ///
  /// - Throws: a fault, also for a text that is larger than ``sizeLimit``, nested more than ``JSONValue/depthLimit``
  ///   deep, or has more combining marks in a row than any real text.
  init(_ text: String) throws(Fault) {
    guard text.utf8.count <= TOMLDocument.sizeLimit else {
      let why = "the file is larger than \(TOMLDocument.sizeLimit >> 10) KiB"
      throw Fault(place: Place(line: 1, column: 1), why: why)
    }
    var parser = TOMLParser(text)
    members = try parser.document()
    keys = parser.keys
  }

  /// Returns the place of a key, or of the nearest table around it; nil if there is neither.
  func place(of path: [String]) -> Place? {
    for count in stride(from: path.count, to: 0, by: -1) {
      if let key = keys.first(where: { $0.path.elementsEqual(path.prefix(count)) }) { return key.place }
    }
    return nil
  }

  /// Returns the names in a table, each once, in the order of the text.
  func names(in table: [String]) -> [String] {
    var seen: Set<String> = []
    return keys.filter { $0.path.count > table.count && $0.path.starts(with: table) }
      .map { $0.path[table.count] }.filter { seen.insert($0).inserted }
  }
}
