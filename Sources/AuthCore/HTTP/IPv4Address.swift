import Glibc

/// An IPv4 address in a URL, in any form that the C library accepts (RFC 3986, section 7.4).
struct IPv4Address: Equatable {
  /// The 32 bits of the address.
  let bits: UInt32

  /// Whether a host can only be an address: its last part, ignoring a trailing dot, is a number.
  static func isMeant(by host: String) -> Bool {
    guard let last = host.split(atAny: ".").last else { return false }
    return last.allSatisfy(\.isNumber) || (last.starts(withBytes: "0x") && last.dropFirst(2).allSatisfy(\.isHexDigit))
  }

  /// Reads one to four decimal or hexadecimal numbers in lower case, the last of which fills the remaining bytes:
  /// `127.0.0.1`, `127.1`, `0x7f.1`, `2130706433`.
  ///
  /// - Throws: ``WebURL/Invalid`` also for forms that parsers read differently: numbers with a leading 0, which some
  ///   read as octal, and a trailing dot.
  init(_ text: String) throws(WebURL.Invalid) {
    let parts = text.split(atAny: ".", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.count > 1 && $0.starts(withBytes: "0") && !$0.starts(withBytes: "0x") }) else {
      throw WebURL.Invalid(
        description: "its IPv4 address has a number that begins with 0, which is octal to some and decimal to others")
    }
    var address = in_addr()
    // C reads up to the first null byte, which no host has.
    guard unsafe inet_aton(text, &address) != 0 else {
      throw WebURL.Invalid(description: "its IPv4 address is malformed (use four numbers from 0 to 255)")
    }
    bits = UInt32(bigEndian: address.s_addr)
  }
}

extension IPv4Address: CustomStringConvertible {
  /// The address as four decimal numbers.
  var description: String {
    stride(from: 24, through: 0, by: -8).map { "\(bits >> UInt32($0) & 0xFF)" }.joined(separator: ".")
  }
}

extension Substring {
  /// Whether the text is an address in 127.0.0.0/8 in dotted form (RFC 6890).
  package var isIPv4Loopback: Bool {
    // Byte by byte: it is asked for each request over plain HTTP.
    guard utf8.starts(with: "127.".utf8) else { return false }
    var (dots, number): (Int, Int?) = (0, nil)
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
        guard number ?? 0 <= UInt8.max else { return false }
      case UInt8(ascii: "."):
        guard number != nil else { return false }
        (dots, number) = (dots + 1, nil)
      default: return false
      }
    }
    return dots == 3 && number != nil
  }
}
