import FoundationEssentials

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5; RFC 7636, appendix A).
enum Base64URL {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    String(
      Data(bytes).base64EncodedString().compactMap { character -> Character? in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// Decodes a text; nil if a character is outside the alphabet or the length is invalid.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=") }) else {
      return nil
    }
    var standard = String(text.map { $0 == "-" ? "+" : ($0 == "_" ? "/" : $0) })
    standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Data(base64Encoded: standard).map { Array($0) }
  }
}
