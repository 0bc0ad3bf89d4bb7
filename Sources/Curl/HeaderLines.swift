import AuthCore
import HTTPTypes

/// The header of a request in the form in which libcurl wants it: the lines that it doesn't write of itself.
enum HeaderLines {
  /// What libcurl sends of itself where nothing else is said.
  private static let unasked: [(name: HTTPField.Name, value: String)] = [
    (.accept, "*/*"), (.contentType, "application/x-www-form-urlencoded"),
  ]

  /// The standard fields that have an option of libcurl's, which puts them where curl does.
  static let optional: [HTTPField.Name] = [.userAgent, .referer, .range]

  /// Lists the lines of a transfer: its fields in their order, the removals, and what libcurl has no place for.
  static func lines(of transfer: Transfer) -> [[UInt8]] {
    let given = zip(transfer.fields, transfer.spellings.lines(of: transfer.fields)).map { $1 ?? line($0) }
    let own = unasked.filter { transfer.standardFields[$0.name] == $0.value }.map(\.name)
    let others = transfer.standardFields.filter { field in
      !optional.contains(field.name) && !own.contains(field.name) && transfer.fields[field.name] == nil
    }
    let added = Set(others.map(\.name))
    let withheld = transfer.withheldFields + unasked.map(\.name).filter { !own.contains($0) && !added.contains($0) }
    // "Name:" with nothing behind it takes away what libcurl would send.
    let removed = withheld.filter { transfer.fields[$0] == nil }.map { Array("\($0.rawName):".utf8) }
    return given + removed + others.flatMap { lines(of: $0, in: transfer) }
  }

  /// Spells one field; an empty value is written with the semicolon that libcurl sends as `Name:`.
  static func line(_ field: HTTPField) -> [UInt8] {
    Array((field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)").utf8)
  }

  /// A type of content stands behind the content's length, as libcurl puts its own: so the length is written, too.
  private static func lines(of field: HTTPField, in transfer: Transfer) -> [[UInt8]] {
    guard field.name == .contentType, let length = transfer.body?.length, transfer.fields[.contentLength] == nil,
      transfer.fields[.transferEncoding] == nil, !transfer.withheldFields.contains(.contentLength)
    else { return [line(field)] }
    return [Array("Content-Length: \(length)".utf8), line(field)]
  }
}
