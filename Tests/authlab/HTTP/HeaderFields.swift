/// The header fields of a message in the order in which they stand on the wire, repeated ones included.
struct HeaderFields: Sendable {
  /// One name and its value, both as sent.
  struct Field: Sendable {
    /// The name, in the spelling of the sender.
    let name: String
    /// The value without the white space around it (RFC 9110, section 5.5).
    let value: String
  }

  /// All fields in their order.
  private(set) var fields: [Field]

  /// Holds fields.
  init(_ fields: [(name: String, value: String)] = []) {
    self.fields = fields.map { Field(name: $0.name, value: $0.value) }
  }

  /// Appends a field.
  mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The value of the first field with this name, which is compared without regard to case.
  subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name }?.value
  }
}
