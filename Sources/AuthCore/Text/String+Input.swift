extension StringProtocol {
  /// Whether the text has only visible ASCII characters (0x21 to 0x7E), like tokens and URIs (RFC 6750, section 2.1).
  /// True for the empty text.
  package var isVisibleASCII: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }

  /// The text without one trailing line end (`\n` or `\r\n`), which editors and `echo` add to a secret.
  package var droppingLineEnd: String {
    // Swift counts `\r\n` as one character.
    hasSuffix("\n") || hasSuffix("\r\n") ? String(dropLast()) : String(self)
  }
}
