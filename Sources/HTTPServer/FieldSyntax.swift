/// The bytes of header fields (RFC 9110, section 5).
enum FieldSyntax {
  /// Returns whether a byte may be part of a token (RFC 9110, section 5.6.2).
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: false
    }
  }

  /// Returns whether bytes are a token.
  static func isToken(_ bytes: some Collection<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isToken) }

  /// Returns whether a byte may be part of a field value: no control character except the tab.
  static func isValue(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

  /// Returns whether a byte is a decimal digit.
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns the value of a hexadecimal digit; nil for another byte.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// Returns whether texts are equal if the case of ASCII letters is ignored.
  static func isEqual(_ text: String, _ lowercase: StaticString) -> Bool {
    text.utf8.count == lowercase.utf8CodeUnitCount && lower(text) == lowercase.description
  }

  /// Returns a text with its ASCII letters in lower case.
  static func lower(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Returns the members of a comma-separated list in lower case, without empty ones (RFC 9110, section 5.6.1).
  static func list(_ value: String) -> [String] {
    value.utf8.split(separator: 0x2C).compactMap { member in
      let text = trimmed(member)
      return text.isEmpty ? nil : lower(String(decoding: text, as: UTF8.self))
    }
  }

  /// Returns bytes without the spaces and tabs at their ends.
  static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let start = bytes.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start[start.endIndex...] }
    return start[...last]
  }

  /// Reads a field line without its line end (RFC 9112, section 5).
  ///
  /// - Throws: a fault if the name is not a token, or the value has control characters or is not UTF-8.
  static func field(_ line: ArraySlice<UInt8>) throws(RequestFault) -> ServerRequest.Field {
    guard let colon = line.firstIndex(of: 0x3A), isToken(line[..<colon]) else { throw .malformed }
    let value = trimmed(line[(colon + 1)...])
    guard value.allSatisfy(isValue), let text = String(validating: value, as: UTF8.self) else { throw .malformed }
    return (String(decoding: line[..<colon], as: UTF8.self), text)
  }
}
