/// Decides by a name whether its value is a secret: the name of a header field, a form field, a query parameter or a
/// JSON member, in any spelling.
package enum SecretNames {
  /// Whole names that indicate a secret, in lower case without punctuation.
  private static let whole = Words(
    """
    assertion auth bearer code cookie dpop jwt key otp pass pin pwd samlresponse setcookie sid sig state usercode \
    verificationuricomplete xjfrogartapi
    """)

  /// Parts of names that indicate a secret, in lower case without punctuation.
  private static let parts = Words(
    """
    accesskey apikey assertion authorization authkey codeverifier credential devicecode jwt passphrase passwd password \
    privatekey secret session signature subscriptionkey token
    """)

  /// Further parts of the names of header fields with a secret; many APIs use names of their own.
  private static let fieldParts = Words("auth csrf")

  /// Ends of names that refer to a secret but do not contain one: `token_type`, `tokenEndpoint`,
  /// `accessTokenExpiresIn`.
  private static let harmlessEnds = Words(
    """
    authmethod authmethodssupported endpoint expires expiresat expiresin expiry hint iframe lifetime supported type \
    uri url
    """)

  /// Further ends of names of what describes a secret in an object:
  /// `{"token": {"value": "…", "created_at": "…"}}`.
  private static let describingEnds = Words(
    """
    alg algorithm at aud audience clientid date email iss issuer kty message name scope scopes status sub subject time
    """)

  /// Returns whether a member of an object that has the name of a secret may hold the secret.
  static func mayBeSecret(_ member: some StringProtocol) -> Bool {
    let plain = plainBytes(member)
    return !harmlessEnds.areEnd(of: plain) && !describingEnds.areEnd(of: plain)
  }

  /// Returns a name in lower case without punctuation, which is the same for all its spellings.
  static func plain(_ name: some StringProtocol) -> String {
    String(decoding: plainBytes(name), as: UTF8.self)
  }

  private static func plainBytes(_ name: some StringProtocol) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(name.utf8.count)
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): plain.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): plain.append(byte | 0x20)
      default: break
      }
    }
    return plain
  }

  /// Returns whether the value of a name is a secret.
  ///
  /// - Parameter further: names of further secrets, each as its ``plain(_:)``.
  package static func isSecret(_ name: some StringProtocol, or further: Set<String> = []) -> Bool {
    // As bytes, because a text has thousands of names.
    let plain = plainBytes(name)
    if whole.areWhole(of: plain) { return true }
    if !further.isEmpty, further.contains(String(decoding: plain, as: UTF8.self)) { return true }
    return parts.arePart(of: plain) && !harmlessEnds.areEnd(of: plain)
  }

  /// Returns whether the name of a header field indicates a secret where the name of a member would not.
  ///
  /// - Parameter field: the name in lower case.
  static func isSecret(field: String) -> Bool { fieldParts.arePart(of: Array(field.utf8)) }

  /// Words in lower case that are looked for in names, in one array: an array for each would take longer to use.
  private struct Words: Sendable {
    private var bytes: [UInt8] = []
    /// The end of each word in the array.
    private var ends: [Int] = []
    /// A bit for each letter that a word begins with.
    private var initials: UInt32 = 0

    /// - Parameter words: the words, separated by spaces.
    init(_ words: String) {
      for byte in words.utf8 {
        guard byte != UInt8(ascii: " ") else {
          ends.append(bytes.count)
          continue
        }
        if bytes.count == ends.last ?? 0 { initials |= Words.bit(byte) }
        bytes.append(byte)
      }
      ends.append(bytes.count)
    }

    /// Returns whether one of the words is the name.
    func areWhole(of name: [UInt8]) -> Bool { isOne(in: name, at: 0, toEnd: true) }

    /// Returns whether one of the words is a part of the name.
    func arePart(of name: [UInt8]) -> Bool { name.indices.contains { isOne(in: name, at: $0, toEnd: false) } }

    /// Returns whether the name ends with one of the words.
    func areEnd(of name: [UInt8]) -> Bool { name.indices.contains { isOne(in: name, at: $0, toEnd: true) } }

    private static func bit(_ letter: UInt8) -> UInt32 { 1 << UInt32(letter & 0x1F) }

    private func isOne(in name: [UInt8], at start: Int, toEnd: Bool) -> Bool {
      guard start < name.count, initials & Words.bit(name[start]) != 0 else { return false }
      var begin = 0
      for end in ends {
        let left = name.count - start - (end - begin)
        if toEnd ? left == 0 : left >= 0 {
          var place = begin
          while place < end, bytes[place] == name[start + place - begin] { place += 1 }
          if place == end { return true }
        }
        begin = end
      }
      return false
    }
  }
}
