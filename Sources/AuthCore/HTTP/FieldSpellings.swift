package import HTTPTypes

/// The header lines that are sent exactly as written, because they differ from `Name: value`.
package struct FieldSpellings: Sendable {
  /// Includes the name as spelled, because two fields are equal even if the case of their names differs.
  private struct Key: Hashable {
    let rawName: String
    let field: HTTPField

    init(_ field: HTTPField) {
      rawName = field.name.rawName
      self.field = field
    }
  }

  private var lines: [Key: [[UInt8]]] = [:]

  /// Creates an empty list: every line is `Name: value`.
  package init() {}

  /// Stores the line of a field as written, without its line end. Several lines of the same field are kept in order.
  package mutating func keep(_ line: [UInt8], of field: HTTPField) {
    lines[Key(field), default: []].append(line)
  }

  /// Returns the lines of fields as written, without their line ends; nil for each that is `Name: value`.
  package func lines(of fields: HTTPFields) -> [[UInt8]?] {
    var left = lines
    return fields.map { field in
      guard let line = left[Key(field)]?.first else { return nil }
      left[Key(field)]?.removeFirst()
      return line
    }
  }
}
