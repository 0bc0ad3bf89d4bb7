/// An IPv6 address in a URL (RFC 4291, section 2.2), without a zone: a zone has a meaning only on one machine.
struct IPv6Address: Equatable {
  /// The eight groups of 16 bits.
  let groups: [UInt16]

  /// Parses the text between the brackets; nil if it is not an address.
  init?(_ text: String) {
    let groups: [UInt16]
    if let gap = text.firstRange(ofBytes: "::") {
      // A second gap leaves an empty group in the tail.
      guard let head = IPv6Address.groups(text[..<gap.lowerBound], mayEndInIPv4: false),
        let tail = IPv6Address.groups(text[gap.upperBound...], mayEndInIPv4: true), head.count + tail.count < 8
      else { return nil }
      groups = head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    } else {
      guard let all = IPv6Address.groups(text[...], mayEndInIPv4: true) else { return nil }
      groups = all
    }
    guard groups.count == 8 else { return nil }
    self.groups = groups
  }

  private static func groups(_ text: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var parts = text.split(atAny: ":", omittingEmptySubsequences: false)
    var end: [UInt16] = []
    if mayEndInIPv4, let last = parts.last, last.contains(bytes: ".") {
      guard let pair = ipv4(last) else { return nil }
      end = pair
      parts.removeLast()
    }
    var groups: [UInt16] = []
    for part in parts {
      guard (1...4).contains(part.count), part.allSatisfy({ $0.isASCII && $0.isHexDigit }),
        let group = UInt16(part, radix: 16)
      else { return nil }
      groups.append(group)
    }
    return groups + end
  }

  /// Reads four decimal numbers as two groups; no other form is accepted here.
  private static func ipv4(_ text: Substring) -> [UInt16]? {
    let bytes = text.split(atAny: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
    // If formatting the bytes again gives a different text, the original had a sign or a leading zero.
    guard bytes.count == 4, bytes.map({ "\($0)" }).joined(separator: ".") == text else { return nil }
    return [UInt16(bytes[0]) << 8 | UInt16(bytes[1]), UInt16(bytes[2]) << 8 | UInt16(bytes[3])]
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
