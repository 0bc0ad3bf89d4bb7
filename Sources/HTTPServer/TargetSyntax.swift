/// The syntax of request targets (RFC 9112, section 3.2) and of hosts (RFC 9110, section 7.2).
enum TargetSyntax {
  /// Returns whether bytes are a target in the form that the method requires.
  static func isTarget(_ target: ArraySlice<UInt8>, method: String) -> Bool {
    guard !target.isEmpty, target.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }) else { return false }
    if method == "CONNECT" { return isHost(target, needsPort: true) }
    if target.first == 0x2F { return isPath(target) }
    if target.count == 1, target.first == 0x2A { return method == "OPTIONS" }
    return isAbsolute(target)
  }

  /// Returns whether bytes are a host with an optional port: a name, an IPv4 address, or an IPv6 address in brackets.
  static func isHost(_ bytes: some Collection<UInt8>, needsPort: Bool = false) -> Bool {
    let host = Array(bytes)
    var end = host.firstIndex(of: 0x3A) ?? host.endIndex
    if host.first == 0x5B {
      guard let bracket = host.firstIndex(of: 0x5D) else { return false }
      end = bracket + 1
      guard isAddress(host[1..<bracket]) else { return false }
    } else {
      guard isName(host[..<end]) else { return false }
    }
    guard end < host.endIndex else { return !needsPort }
    return host[end] == 0x3A && isPort(host[(end + 1)...])
  }

  private static func isPort(_ port: ArraySlice<UInt8>) -> Bool {
    (1...5).contains(port.count) && port.allSatisfy(FieldSyntax.isDigit)
      && UInt16(String(decoding: port, as: UTF8.self)) != nil
  }

  private static func isAddress(_ address: ArraySlice<UInt8>) -> Bool {
    (2...45).contains(address.count) && address.contains(0x3A)
      && address.allSatisfy { FieldSyntax.hexValue($0) != nil || $0 == 0x3A || $0 == 0x2E }
  }

  /// Returns whether bytes are labels with dots between them, and perhaps a dot at the end.
  private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    var labels = name.split(separator: 0x2E, omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    return name.count <= 255
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.allSatisfy { FieldSyntax.isToken($0) && (isAlphanumeric($0) || $0 == 0x2D || $0 == 0x5F) }
      }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { FieldSyntax.isDigit(byte) || isLetter(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Returns whether bytes are `scheme://host/path`, where the path may be absent.
  private static func isAbsolute(_ target: ArraySlice<UInt8>) -> Bool {
    guard let first = target.first, isLetter(first), let colon = target.firstIndex(of: 0x3A),
      target[..<colon].allSatisfy({ isAlphanumeric($0) || [0x2B, 0x2D, 0x2E].contains($0) }),
      target[colon...].starts(with: "://".utf8)
    else { return false }
    let rest = target[(colon + 3)...]
    let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
    return isHost(rest[..<end]) && (rest[end...].first != 0x2F || isPath(rest[end...]))
  }

  /// Returns whether the path of a target is valid: percent-encodings of bytes other than 0, and `..` not above the
  /// root. The query is not checked.
  private static func isPath(_ target: ArraySlice<UInt8>) -> Bool {
    guard let path = decoded(target.prefix { $0 != 0x3F }) else { return false }
    var depth = 0
    for segment in path.split(separator: 0x2F) {
      if segment.count == 2, segment.allSatisfy({ $0 == 0x2E }) {
        depth -= 1
      } else if segment.count != 1 || segment.first != 0x2E {
        depth += 1
      }
      if depth < 0 { return false }
    }
    return true
  }

  /// Decodes a path; returns nil if an encoding is incomplete or encodes 0.
  private static func decoded(_ path: ArraySlice<UInt8>) -> [UInt8]? {
    guard path.contains(0x25) else { return Array(path) }
    var bytes: [UInt8] = []
    var rest = path
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(FieldSyntax.hexValue),
        let low = rest.popFirst().flatMap(FieldSyntax.hexValue),
        high | low != 0
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
