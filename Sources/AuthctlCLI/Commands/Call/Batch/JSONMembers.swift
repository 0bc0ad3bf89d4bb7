import AuthCore

/// Splits a JSON object (RFC 8259) into its members, each value as its original bytes.
enum JSONMembers {
  /// Returns the members of an object, in order. The values are not parsed.
  ///
  /// - Parameter subject: the name of the object in the error.
  /// - Throws: ``BatchLineError`` if the text is not an object, or a name occurs twice.
  static func of(
    _ text: ArraySlice<UInt8>, _ subject: String
  ) throws(BatchLineError) -> [(name: String, value: ArraySlice<UInt8>)] {
    let malformed = BatchLineError("\(subject) is no JSON object")
    var rest = text
    guard take("{", from: &rest) else { throw malformed }
    var members: [(name: String, value: ArraySlice<UInt8>)] = []
    var names: Set<String> = []
    guard !take("}", from: &rest) else { return try ended(rest, subject, members) }
    repeat {
      guard let name = string(takeValue(from: &rest)), take(":", from: &rest) else { throw malformed }
      let value = takeValue(from: &rest)
      guard !value.isEmpty else { throw malformed }
      guard names.insert(name).inserted else { throw BatchLineError("\(subject) has a member twice") }
      members.append((name, value))
    } while take(",", from: &rest)
    guard take("}", from: &rest) else { throw malformed }
    return try ended(rest, subject, members)
  }

  /// Returns the text of a JSON string; nil if the bytes are not a valid one.
  static func string(_ value: ArraySlice<UInt8>) -> String? {
    guard value.first == UInt8(ascii: "\"") else { return nil }
    // Malformed input is not a string; the parser's error is not needed.
    return (try? JSONValue(parsing: value))?.string
  }

  /// Returns the bytes without white space at both ends.
  static func trimming(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.drop(while: isSpace)
    return start.prefix(start.count - start.reversed().prefix(while: isSpace).count)
  }

  private static func ended<Value>(
    _ rest: ArraySlice<UInt8>, _ subject: String, _ value: Value
  ) throws(BatchLineError) -> Value {
    guard trimming(rest).isEmpty else { throw BatchLineError("\(subject) goes on after its JSON object") }
    return value
  }

  private static func take(_ mark: Unicode.Scalar, from rest: inout ArraySlice<UInt8>) -> Bool {
    let found = rest.drop(while: isSpace)
    guard found.first == UInt8(ascii: mark) else { return false }
    rest = found.dropFirst()
    return true
  }

  /// Takes the bytes that look like one value; empty if there are none.
  private static func takeValue(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = rest.drop(while: isSpace)
    var depth = 0
    var isInString = false
    var isEscaped = false
    var end = start.startIndex
    scan: while end < start.endIndex {
      let byte = start[end]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { break scan }
          depth -= 1
        case UInt8(ascii: ","), UInt8(ascii: ":"): if depth == 0 { break scan }
        default: break
        }
      }
      end += 1
    }
    rest = start[end...]
    return trimming(start[..<end])
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D, 0x0A].contains(byte) }
}
