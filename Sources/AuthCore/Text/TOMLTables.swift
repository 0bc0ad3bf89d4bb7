/// The tables of a TOML document while it is read, and the rules on defining them.
///
/// A table is an index, so that adding to it copies nothing.
struct TOMLTables {
  /// A key or table that is already there.
  struct Conflict: Error {
    /// The number of names in its path.
    let count: Int
  }

  private enum Member {
    case value(JSONValue)
    case table(Int)
    /// An array of tables: an index of `arrays`.
    case array(Int)
  }

  private struct Table {
    var members: [String: Member] = [:]
    /// The table whose header, braces or dotted keys define this one; nil if only headers of tables in it name it.
    var definer: Int?
  }

  /// The table of the keys above all headers.
  static let root = 0

  private var tables = [Table(definer: root)]
  private var arrays: [[Int]] = []

  /// Opens the table of a header `[a.b]`, or a new element of the array of tables `[[a.b]]`.
  mutating func open(_ path: [String], isElement: Bool) throws(Conflict) -> Int {
    var table = TOMLTables.root
    for (index, name) in path.dropLast().enumerated() {
      switch tables[table].members[name] {
      case nil: table = add(name, to: table, definer: nil)
      case .table(let inner): table = inner
      case .array(let array): table = arrays[array][arrays[array].count - 1]
      case .value: throw Conflict(count: index + 1)
      }
    }
    let name = path[path.count - 1]
    switch tables[table].members[name] {
    case nil where isElement:
      tables[table].members[name] = .array(arrays.count)
      arrays.append([tables.count])
      return addInline()
    case .array(let array) where isElement:
      arrays[array].append(tables.count)
      return addInline()
    case nil: table = add(name, to: table, definer: nil)
    case .table(let inner) where !isElement && tables[inner].definer == nil: table = inner
    default: throw Conflict(count: path.count)
    }
    tables[table].definer = table
    return table
  }

  /// Returns the table that has the last name of a dotted key, which is new there. Dotted keys add to tables of their
  /// own header only.
  mutating func table(of key: [String], in base: Int) throws(Conflict) -> Int {
    var table = base
    for (index, name) in key.dropLast().enumerated() {
      switch tables[table].members[name] {
      case nil: table = add(name, to: table, definer: base)
      case .table(let inner) where tables[inner].definer == nil || tables[inner].definer == base:
        tables[inner].definer = base
        table = inner
      default: throw Conflict(count: index + 1)
      }
    }
    guard tables[table].members[key[key.count - 1]] == nil else { throw Conflict(count: key.count) }
    return table
  }

  /// Sets the value of a new name.
  mutating func set(_ name: String, in table: Int, to value: JSONValue) { tables[table].members[name] = .value(value) }

  /// Adds a table that nothing outside of it can add to.
  mutating func addInline() -> Int {
    tables.append(Table(definer: tables.count))
    return tables.count - 1
  }

  private mutating func add(_ name: String, to table: Int, definer: Int?) -> Int {
    tables[table].members[name] = .table(tables.count)
    tables.append(Table(definer: definer))
    return tables.count - 1
  }

  /// Returns the values in a table.
  func members(of table: Int) -> [String: JSONValue] {
    tables[table].members.mapValues { member in
      switch member {
      case .value(let value): value
      case .table(let inner): .object(members(of: inner))
      case .array(let array): .array(arrays[array].map { .object(members(of: $0)) })
      }
    }
  }
}
