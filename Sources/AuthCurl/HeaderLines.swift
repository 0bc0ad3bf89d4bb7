import AuthCore
import HTTPTypes

/// Creates the header lines that libcurl does not write itself.
enum HeaderLines {
  /// The fields that libcurl sends by default.
  private static let unasked = [
    HTTPField(name: .accept, value: "*/*"),
    HTTPField(name: .contentType, value: "application/x-www-form-urlencoded"),
  ]

  /// The standard fields with an option of libcurl, which writes them in the same position as curl.
  static let optional: [HTTPField.Name] = [.userAgent, .referer, .range]

  /// Returns the lines of a transfer: its fields in order, removals, and fields without a libcurl option.
  static func lines(of transfer: Transfer) -> [[UInt8]] {
    var lines = zip(transfer.fields, transfer.spellings.lines(of: transfer.fields)).map { $1 ?? line($0) }
    var withheld = transfer.withheldFields
    for field in unasked where !transfer.standardFields.contains(field.name) {
      // libcurl looks through all lines for each field that it could add.
      if field.name == .contentType, transfer.method == .get, transfer.body == nil { continue }
      withheld.append(field.name)
    }
    // "Name:" without a value removes the field that libcurl would send.
    for name in withheld where !transfer.fields.contains(name) { lines.append(Array("\(name.rawName):".utf8)) }
    for field in transfer.standardFields {
      guard !optional.contains(field.name), !unasked.contains(field), !transfer.fields.contains(field.name) else {
        continue
      }
      lines += self.lines(of: field, in: transfer)
    }
    return lines
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
