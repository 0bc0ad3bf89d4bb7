extension FixedWidthInteger {
  /// Returns the number in lower-case hexadecimal digits, with leading zeros up to a width.
  package func hexadecimal(_ width: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}

extension UInt8 {
  /// The byte as `%` and two upper-case hexadecimal digits (RFC 3986, section 2.1).
  package var percentEncoded: String { "%" + hexadecimal(2).uppercased() }

  /// The value of a hexadecimal digit; nil for any other byte.
  var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether the byte is a letter or a digit of ASCII.
  var isAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

extension RandomAccessCollection<UInt8> {
  /// Returns whether some bytes occur within these.
  func contains(bytes searched: String.UTF8View) -> Bool {
    guard let first = searched.first else { return true }
    return indices.contains { self[$0] == first && self[$0...].starts(with: searched) }
  }
}
