import Foundation

/// Base64 with the URL alphabet and without padding (RFC 7515, section 2).
enum Base64URL {
  /// Encodes bytes.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  /// Decodes; nil where the text is not of this encoding.
  static func decode(_ text: String) -> Data? {
    guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
    let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
  }
}
