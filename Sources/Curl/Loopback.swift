/// The addresses of this machine itself.
enum Loopback {
  /// Whether an address in the form in which libcurl writes it is one of 127.0.0.0/8, or `::1` (RFC 6890).
  static func contains(_ address: String) -> Bool {
    if address == "::1" { return true }
    let parts = address.trimmingPrefix("::ffff:").split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
