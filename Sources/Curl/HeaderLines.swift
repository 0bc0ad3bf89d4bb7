import AuthCore
import HTTPTypes

/// The header of a request in the form in which libcurl wants it.
enum HeaderLines {
  /// The fields that libcurl adds by itself and that a transport has no business to add.
  private static let unasked = ["Accept", "Content-Type"]

  /// Lists the lines of a transfer: its fields in their order, then the removals.
  static func lines(of transfer: Transfer) -> [String] {
    let given = transfer.fields.map { line($0) }
    let withheld = transfer.withheldFields.map(\.rawName) + unasked
    let removed = withheld.filter { name in
      HTTPField.Name(name).map { transfer.fields[$0] == nil } ?? false
    }
    // "Name:" with nothing behind it takes away what libcurl would send.
    return given + removed.map { $0 + ":" }
  }

  /// Spells one field; an empty value is written with the semicolon that libcurl sends as `Name:`.
  static func line(_ field: HTTPField) -> String {
    field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
  }
}
