extension ProfileLocator {
  /// Returns the names in a table, each once, in the order of the text, whether they are on lines of their own or in an
  /// inline table.
  func names(in table: [String]) -> [String] {
    let places = keyPlaces()
    let below = places.filter { $0.path.count > table.count && $0.path.starts(with: table) }
    guard below.isEmpty, let line = places.first(where: { $0.path == table })?.place.line else {
      return ProfileLocator.once(below.map { $0.path[table.count] })
    }
    return ProfileLocator.once(namesOfInlineTable(from: line))
  }

  private static func once(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// Returns the names in the inline table that begins on a line.
  private func namesOfInlineTable(from line: Int) -> [String] {
    let bytes = Array(text.utf8)
    var index = bytes.startIndex
    for _ in 1..<line { index = (bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex - 1) + 1 }
    guard let open = bytes[index...].firstIndex(of: UInt8(ascii: "{")) else { return [] }
    var names: [String] = []
    var next: Int? = open + 1
    while let start = next,
      let key = ProfileLocator.dottedKey(text[text.utf8.index(text.startIndex, offsetBy: start)...])
    {
      names.append(key.key[0])
      next = ProfileLocator.afterValue(bytes, from: bytes.count - key.rest.utf8.count)
    }
    return names
  }

  /// Returns the index after the comma that follows a value of an inline table; nil if the value is the last one.
  private static func afterValue(_ bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        index = TOMLPrecheck.endOfString(bytes, from: index)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 0: return index + 1
      default: break
      }
      guard depth >= 0 else { return nil }
      index += 1
    }
    return nil
  }
}
