import Foundation

/// Base64 with the URL alphabet and without padding (RFC 7515, section 2).
enum Base64URL {
  /// Encodes bytes.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }
}
