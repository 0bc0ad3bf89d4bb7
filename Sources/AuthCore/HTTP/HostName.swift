import CIDN

/// A host of a URL in the one form in which it is compared and connected to.
enum HostName {
  /// The form of a host without brackets: a name in lower case, one beyond ASCII in its `xn--` form (RFC 5891), or an
  /// IPv4 address as four decimal numbers.
  ///
  /// A dot at the end stays: it says that no search domain is tried, and certificates, cookies and this program take
  /// `example.com.` for another host than `example.com`. An `xn--` name in ASCII is not looked into, as in curl: what
  /// is compared is what is resolved.
  ///
  /// - Throws: ``WebURL/Invalid`` with the reason.
  static func canonical(_ text: String) throws(WebURL.Invalid) -> String {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let name = (isASCII ? text : try ascii(text)).lowercased()
    guard !name.isEmpty else { throw WebURL.Invalid(description: "it has no host") }
    // After the translation, which makes an @ of a full-width one and "aa/cb" of "a℀b".
    guard name.utf8.allSatisfy(isUsual), !name.hasPrefix("."), !name.contains("..") else {
      throw WebURL.Invalid(description: "its host is malformed")
    }
    // RFC 1035, section 2.3.4: 255 octets with their lengths. What is longer can't be asked for, and is not for
    // libcurl.
    guard name.utf8.count <= (name.hasSuffix(".") ? 254 : 253) else {
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
