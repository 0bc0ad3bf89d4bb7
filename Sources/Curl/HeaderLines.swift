import AuthCore
import HTTPTypes

/// Creates the header lines that libcurl does not write itself.
enum HeaderLines {
  /// The fields that libcurl sends by default.
  private static let unasked: [(name: HTTPField.Name, value: String)] = [
    (.accept, "*/*"), (.contentType, "application/x-www-form-urlencoded"),
  ]

  /// The standard fields with an option of libcurl, which writes them in the same position as curl.
  static let optional: [HTTPField.Name] = [.userAgent, .referer, .range]

  /// Returns the lines of a transfer: its fields in order, removals, and fields without a libcurl option.
  static func lines(of transfer: Transfer) -> [[UInt8]] {
    let given = zip(transfer.fields, transfer.spellings.lines(of: transfer.fields)).map { $1 ?? line($0) }
    let own = unasked.filter { transfer.standardFields[$0.name] == $0.value }.map(\.name)
    let others = transfer.standardFields.filter { field in
      !optional.contains(field.name) && !own.contains(field.name) && transfer.fields[field.name] == nil
    }
    let added = Set(others.map(\.name))
    let withheld = transfer.withheldFields + unasked.map(\.name).filter { !own.contains($0) && !added.contains($0) }
    // "Name:" without a value removes the field that libcurl would send.
    let removed = withheld.filter { transfer.fields[$0] == nil }.map { Array("\($0.rawName):".utf8) }
    return given + removed + others.flatMap { lines(of: $0, in: transfer) }
  }

  /// Formats one field; an empty value is written with the semicolon that libcurl sends as `Name:`.
  static func line(_ field: HTTPField) -> [UInt8] {
    Array((field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)").utf8)
  }

  /// Returns the lines of a standard field. Content-Length is written before Content-Type, because that is libcurl's
  /// order.
  private static func lines(of field: HTTPField, in transfer: Transfer) -> [[UInt8]] {
    guard field.name == .contentType, let length = transfer.body?.length, transfer.fields[.contentLength] == nil,
      transfer.fields[.transferEncoding] == nil, !transfer.withheldFields.contains(.contentLength)
    else { return [line(field)] }
    return [Array("Content-Length: \(length)".utf8), line(field)]
  }
}
