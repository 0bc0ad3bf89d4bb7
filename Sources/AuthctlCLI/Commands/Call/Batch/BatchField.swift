import AuthCore
import HTTPTypes

/// A header field as a line of a batch gives it.
struct BatchField: Sendable, Equatable {
  /// Its name.
  let name: HTTPField.Name
  /// Its values, one field each; none where the field is not to be sent.
  let values: [String]

  /// Reads a member of `headers`: a string, an array of strings, or `null`.
  ///
  /// - Throws: ``BatchLineError``, without the value: it may be a secret.
  init(_ name: String, _ value: ArraySlice<UInt8>) throws(BatchLineError) {
    let shown = "its header '\(Printable.text(name, limit: 80))'"
    guard let field = HTTPField.Name(name) else { throw BatchLineError("\(shown) has a name that no header has") }
    if value.first == UInt8(ascii: "\""), let text = JSONMembers.string(value) {
      values = [text]
    } else if let json = try? JSONValue(parsing: value), let texts = json == .null ? [] : json.strings {
      values = texts
    } else {
      throw BatchLineError("\(shown) is neither a string nor an array of strings nor null")
    }
    guard values.allSatisfy({ HTTPField.isValidValue($0) }) else {
      throw BatchLineError("\(shown) contains a control characters value")
    }
    self.name = field
  }
}
