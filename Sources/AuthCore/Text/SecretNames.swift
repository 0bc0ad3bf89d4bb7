/// Decides by a name whether its value is a secret: the name of a header field, a form field, a query parameter or a
/// JSON member, in any spelling.
package enum SecretNames {
  /// Whole names that indicate a secret, in lower case without punctuation.
  private static let whole: Set<String> = [
    "assertion", "bearer", "code", "cookie", "dpop", "jwt", "key", "otp", "pass", "pin", "pwd", "samlresponse",
    "setcookie", "sid", "sig", "state", "xjfrogartapi",
  ]

  /// Parts of names that indicate a secret, in lower case without punctuation.
  private static let parts = [
    "accesskey", "apikey", "assertion", "authorization", "authkey", "codeverifier", "credential", "devicecode", "jwt",
    "passphrase", "passwd", "password", "privatekey", "secret", "session", "signature", "subscriptionkey", "token",
  ]

  /// Ends of names that refer to a secret but do not contain one: `token_type`, `tokenEndpoint`,
  /// `accessTokenExpiresIn`.
  private static let harmlessEnds = [
    "authmethod", "authmethodssupported", "endpoint", "expires", "expiresat", "expiresin", "expiry", "hint", "lifetime",
    "supported", "type", "uri", "url",
  ]

  /// Returns a name in lower case without punctuation, which is the same for all its spellings.
  static func plain(_ name: some StringProtocol) -> String {
    String(
      decoding: name.utf8.compactMap { byte -> UInt8? in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: nil
        }
      }, as: UTF8.self)
  }

  /// Returns whether the value of a name is a secret.
  ///
  /// - Parameter further: names of further secrets, each as its ``plain(_:)``.
  package static func isSecret(_ name: some StringProtocol, or further: Set<String> = []) -> Bool {
    let plain = plain(name)
    if whole.contains(plain) || further.contains(plain) { return true }
    guard parts.contains(where: { plain.contains($0) }) else { return false }
    return !harmlessEnds.contains { plain.hasSuffix($0) }
  }
}
