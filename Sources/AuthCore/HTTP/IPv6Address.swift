import Glibc

/// An IPv6 address in a URL (RFC 4291, section 2.2), without a zone: a zone has a meaning only on one machine.
struct IPv6Address: Equatable {
  /// The eight groups of 16 bits.
  let groups: [UInt16]

  /// Parses the text between the brackets; nil if it is not an address.
  init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    // C reads up to the first null byte, and writes 16 bytes.
    guard !text.utf8.contains(0), unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
    groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
  }

  /// The longest run of two or more zero groups, the first one if several are equally long.
  private var gap: Range<Int>? {
    var longest = 0..<1
    var start = 0
    for (index, group) in groups.enumerated() {
      if group != 0 { start = index + 1 } else if index + 1 - start > longest.count { longest = start..<index + 1 }
    }
    return longest.count > 1 ? longest : nil
  }
}

extension IPv6Address: CustomStringConvertible {
  /// The address in the form of RFC 5952; an IPv4-mapped address ends in the IPv4 form (section 5).
  var description: String {
    if groups.prefix(6) == [0, 0, 0, 0, 0, 0xFFFF] {
      return "::ffff:" + groups.suffix(2).flatMap { ["\($0 >> 8)", "\($0 & 0xFF)"] }.joined(separator: ".")
    }
    let written = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
    guard let gap else { return written(groups[...]) }
    return written(groups[..<gap.lowerBound]) + "::" + written(groups[gap.upperBound...])
  }
}
