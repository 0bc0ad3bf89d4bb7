/// Decides by a name whether its value is a secret: the name of a header field, a form field, a query parameter or a
/// JSON member, in any spelling.
package enum SecretNames {
  /// Whole names that indicate a secret, in lower case without punctuation.
  private static let whole: Set<String> = [
    "assertion", "bearer", "code", "cookie", "dpop", "jwt", "key", "otp", "pass", "pin", "pwd", "samlresponse",
    "setcookie", "sid", "sig", "state", "usercode", "verificationuricomplete", "xjfrogartapi",
  ]

  /// Parts of names that indicate a secret, in lower case without punctuation.
  private static let parts = bytes([
    "accesskey", "apikey", "assertion", "authorization", "authkey", "codeverifier", "credential", "devicecode", "jwt",
    "passphrase", "passwd", "password", "privatekey", "secret", "session", "signature", "subscriptionkey", "token",
  ])

  /// Ends of names that refer to a secret but do not contain one: `token_type`, `tokenEndpoint`,
  /// `accessTokenExpiresIn`.
  private static let harmlessEnds = bytes([
    "authmethod", "authmethodssupported", "endpoint", "expires", "expiresat", "expiresin", "expiry", "hint", "iframe",
    "lifetime", "supported", "type", "uri", "url",
  ])

  /// Ends of names of what describes a secret in an object: `{"token": {"value": "…", "created_at": "…"}}`.
  private static let describingEnds =
    harmlessEnds
    + bytes([
      "alg", "algorithm", "at", "aud", "audience", "clientid", "date", "email", "iss", "issuer", "kty", "message",
      "name", "scope", "scopes", "status", "sub", "subject", "time",
    ])

  private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  /// Returns whether a member of an object that has the name of a secret may hold the secret.
  static func mayBeSecret(_ member: some StringProtocol) -> Bool {
    let plain = Array(plain(member).utf8)
    return !describingEnds.contains { SecretNames.has(plain, end: $0) }
  }

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
    // As bytes, because a text has thousands of names.
    let bytes = Array(plain.utf8)
    guard bytes.indices.contains(where: { start in parts.contains { has(bytes, $0, at: start) } }) else { return false }
    return !harmlessEnds.contains { has(bytes, end: $0) }
  }

  private static func has(_ name: [UInt8], end: [UInt8]) -> Bool { has(name, end, at: name.count - end.count) }

  private static func has(_ name: [UInt8], _ part: [UInt8], at start: Int) -> Bool {
    guard start >= 0, start + part.count <= name.count else { return false }
    for index in part.indices where name[start + index] != part[index] { return false }
    return true
  }
}
