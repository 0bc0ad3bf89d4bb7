/// Writes compact JSON (RFC 8259). Characters that could control a terminal are escaped, which does not change the
/// value.
package struct JSONWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty writer.
  package init() {}

  /// Makes room for this many more bytes.
  package mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Appends a punctuation mark.
  package mutating func append(mark: Unicode.Scalar) { bytes.append(UInt8(ascii: mark)) }

  /// Appends text that is already JSON. Not generic: that took ten times as long.
  package mutating func append(_ json: String.UTF8View) { bytes.append(contentsOf: json) }

  /// Appends bytes that are already JSON.
  package mutating func append(json: [UInt8]) { bytes += json }

  /// Appends a string with its quotation marks.
  package mutating func append(_ text: String) {
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    defer { bytes.append(quote) }
    let part = text.utf8.span
    // Most texts are ASCII with few escapes: what is between them is copied as a whole.
    var copied = 0
    for index in part.indices {
      let byte = part[index]
      guard byte < 0x20 || byte >= 0x7F || byte == quote || byte == UInt8(ascii: "\\") else { continue }
      append(part.extracting(copied..<index))
      guard byte < 0x80 else {
        for scalar in text.unicodeScalars[text.utf8.index(text.startIndex, offsetBy: index)...] {
          appendEscaped(scalar)
        }
        return
      }
      appendEscaped(Unicode.Scalar(byte))
      copied = index + 1
    }
    append(part.extracting(copied..<part.count))
  }

  private mutating func append(_ part: Span<UInt8>) {
    unsafe part.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func appendEscaped(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\": appendEscape(UInt8(ascii: scalar))
    case "\n": appendEscape(UInt8(ascii: "n"))
    case "\r": appendEscape(UInt8(ascii: "r"))
    case "\t": appendEscape(UInt8(ascii: "t"))
    case _ where scalar.drivesTerminal:
      appendEscape(UInt8(ascii: "u"))
      bytes.append(contentsOf: scalar.value.hexadecimal(4).utf8)
    case _ where scalar.isASCII: bytes.append(UInt8(ascii: scalar))
    default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  /// Appends a value.
  ///
  /// - Throws: `EncodingError` for a number that JSON can't represent.
  package mutating func append(_ value: JSONValue) throws(EncodingError) {
    switch value {
    case .null: append("null".utf8)
    case .bool(let value): append((value ? "true" : "false").utf8)
    case .integer(let value): append(String(value).utf8)
    case .number(let value): append(try JSONWriter.text(of: value).utf8)
    case .string(let value): append(value)
    case .array(let values): try appendArray(values) { json, value throws(EncodingError) in try json.append(value) }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      try appendObject { json throws(EncodingError) in
        for (name, value) in sorted { try json.append(name) { json throws(EncodingError) in try json.append(value) } }
      }
    }
  }

  /// Appends an array.
  ///
  /// - Parameter append: appends an element.
  mutating func appendArray<Element, Failure: Error>(
    _ elements: [Element], _ append: (inout JSONWriter, Element) throws(Failure) -> Void
  ) throws(Failure) {
    self.append(mark: "[")
    for (index, element) in elements.enumerated() {
      if index > 0 { self.append(mark: ",") }
      try append(&self, element)
    }
    self.append(mark: "]")
  }

  /// Appends an object.
  ///
  /// - Parameter members: appends the members, in their order.
  mutating func appendObject<Failure: Error>(_ members: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
    append(mark: "{")
    try members(&self)
    append(mark: "}")
  }

  /// Appends a member of an object.
  ///
  /// - Parameter value: appends its value.
  mutating func append<Failure: Error>(_ name: String, _ value: (inout JSONWriter) throws(Failure) -> Void)
    throws(Failure)
  {
    begin(name)
    try value(&self)
  }

  /// Begins a member of an object, with the comma after the member before it; its value must follow.
  package mutating func begin(_ name: String) {
    // Only the first member follows a brace.
    if bytes.last != UInt8(ascii: "{") { append(mark: ",") }
    append(name)
    append(mark: ":")
  }

  /// Appends a member that is a string.
  mutating func append(_ name: String, _ text: String) { append(name) { $0.append(text) } }

  /// Appends a member that is an integer.
  mutating func append(_ name: String, _ number: Int64) { append(name) { $0.append(String(number).utf8) } }

  /// Appends a member that is true or false.
  mutating func append(_ name: String, _ flag: Bool) { append(name) { $0.append((flag ? "true" : "false").utf8) } }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(byte)
  }

  private static func text(of number: Double) throws(EncodingError) -> String {
    guard number.isFinite else {
      throw .invalidValue(number, .init(codingPath: [], debugDescription: "JSON has no form for \(number)"))
    }
    let text = number.description
    return text.ends(withBytes: ".0") ? String(text.dropLast(2)) : text
  }
}
