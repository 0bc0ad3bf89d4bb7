import CAuthIDN

/// Normalizes the host of a URL for comparison and connection.
enum HostName {
  /// Returns the canonical form of a host without brackets: a name in lower case, a non-ASCII name in its `xn--` form
  /// (RFC 5891), or an IPv4 address as four decimal numbers.
  ///
  /// A trailing dot is kept: it means that no search domain is tried, and certificates, cookies and this program treat
  /// `example.com.` and `example.com` as different hosts. An `xn--` name in ASCII is not decoded, as in curl: the
  /// compared name is the resolved name.
  ///
  /// - Throws: ``WebURL/Invalid`` with the reason.
  static func canonical(_ text: String) throws(WebURL.Invalid) -> String {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let name = (isASCII ? text : try ascii(text)).lowercased()
    guard !name.isEmpty else { throw WebURL.Invalid(description: "it has no host") }
    // Checked after the conversion, which turns a full-width @ into @ and "a℀b" into "aa/cb".
    guard name.utf8.allSatisfy(isUsual), !name.starts(withBytes: "."), !name.contains(bytes: "..") else {
      throw WebURL.Invalid(description: "its host is malformed")
    }
    // RFC 1035, section 2.3.4: 255 octets including the length octets. A longer name can't be resolved and must not
    // reach libcurl.
    guard name.utf8.count <= (name.ends(withBytes: ".") ? 254 : 253) else {
      throw WebURL.Invalid(description: "its host is longer than 253 characters")
    }
    guard IPv4Address.isMeant(by: name) else { return name }
    return try IPv4Address(name).description
  }

  private static func isUsual(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "0"..."9", "-", ".", "_": true
    default: false
    }
  }

  private static func ascii(_ text: String) throws(WebURL.Invalid) -> String {
    var ascii = [CChar](repeating: 0, count: Int(CIDN_LONGEST) + 1)
    // C writes into the array, which is as large as the longest name.
    if let reason = unsafe cidn_to_ascii(text, &ascii) {
      let why = unsafe String(cString: reason)
      throw WebURL.Invalid(description: "its host has no ASCII form: \(why) (use its xn-- form)")
    }
    return String(decoding: ascii.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
