package import HTTPTypes

/// The lines of a header as somebody has written them, where that is more than the name, a colon, a space and the
/// value.
package struct FieldSpellings: Sendable {
  /// Two fields are equal also where the case of their names differs.
  private struct Key: Hashable {
    let rawName: String
    let field: HTTPField

    init(_ field: HTTPField) {
      rawName = field.name.rawName
      self.field = field
    }
  }

  private var lines: [Key: [[UInt8]]] = [:]

  /// Makes an empty list: every line is `Name: value`.
  package init() {}

  /// Keeps how the line of a field is written, without its line end; where there are several of the same field, in
  /// order.
  package mutating func keep(_ line: [UInt8], of field: HTTPField) {
    lines[Key(field), default: []].append(line)
  }

  /// How the lines of fields are written, without their line ends; nil for each that is as usual.
  package func lines(of fields: HTTPFields) -> [[UInt8]?] {
    var left = lines
    return fields.map { field in
      guard let line = left[Key(field)]?.first else { return nil }
      left[Key(field)]?.removeFirst()
      return line
    }
  }
}
