/// Decides by a name whether its value is a secret: the name of a header field, a form field, a query parameter or a
/// JSON member, in any spelling. No other place has a list of such names.
package enum SecretNames {
  // MARK: - Secrets

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

  /// Further parts and ends of the names of header fields with a secret; many APIs use names of their own.
  private static let fieldParts = Words("auth csrf")
  private static let fieldEnds = Words("-key -otp")

  /// Names of secrets that have other meanings, too: any word may precede a colon or a text.
  private static let ambiguous = Words("code key state")

  /// Parts of the names of secrets that a person chooses, which may have spaces.
  private static let passwords = Words("pass pwd secret")

  /// Further parts of the names of secrets that a person types: they could be guessed from a fingerprint.
  private static let typed = Words("otp pin usercode verificationuricomplete")

  /// The members of a JWK that must not be known (RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1).
  static let keyMembers: Set<String> = ["d", "dp", "dq", "k", "p", "q", "qi"]

  // MARK: - What is no secret

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

  /// Claims that have the name of a secret and are public: `sid` identifies a session but does not open it (OpenID
  /// Connect Front-Channel Logout, section 3).
  static let publicClaims: Set<String> = ["sid"]

  /// The parameters and members whose values are public (RFC 6749 and its extensions).
  static let publicParameters: Set<String> = [
    "acr_values", "active", "actor_token_type", "application_type", "audience", "client_assertion_type", "client_id",
    "client_id_issued_at", "client_name", "client_secret_expires_at", "code_challenge",
    "code_challenge_method", "error", "error_description", "error_uri", "exp", "expires_in", "grant_type",
    "grant_types", "iat", "interval", "issued_token_type", "max_age", "nbf", "prompt", "redirect_uri", "redirect_uris",
    "refresh_expires_in", "requested_token_type", "resource", "response_mode", "response_type", "response_types",
    "scope", "subject_token_type", "token_endpoint_auth_method", "token_type", "token_type_hint", "verification_uri",
  ]

  /// Header fields that describe the client, the origin, or the request's way, besides those that go to other origins;
  /// their keys are not secret.
  private static let harmlessFields: Set<String> = [
    "accept-version", "alt-used", "api-version", "baggage", "cache-key", "content-range", "depth", "destination",
    "forwarded", "from", "host", "idempotency-key", "if-schedule-tag-match", "keep-alive", "last-event-id", "link",
    "max-forwards", "mcp-method", "mcp-name", "mcp-protocol-version", "origin", "overwrite", "referer", "request-id",
    "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "surrogate-key", "timeout", "traceparent", "tracestate",
    "upgrade", "via", "x-amz-date", "x-api-version", "x-cache-key", "x-correlation-id", "x-forwarded-for",
    "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto", "x-github-api-version", "x-http-method-override",
    "x-idempotency-key", "x-ms-date", "x-ms-version", "x-real-ip", "x-request-id", "x-requested-with",
  ]

  /// Returns whether a header field that a person has chosen, in lower case, is known not to be a credential.
  static func isHarmless(field: String) -> Bool {
    CrossOriginFields.harmless.contains(field) || harmlessFields.contains(field)
  }

  // MARK: - Decisions

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

  /// Returns whether a header field, by its name in lower case, holds a secret, also where a member would not.
  static func isSecret(field: String, or further: Set<String>) -> Bool {
    guard !field.ends(withBytes: "-authenticate") else { return false }
    let name = Array(field.utf8)
    return isSecret(field, or: further) || fieldParts.arePart(of: name)
      || fieldEnds.areEnd(of: name) && !harmlessFields.contains(field)
  }

  /// Returns whether a name indicates a secret also where any word may precede a colon or a text.
  static func isUnmistakable(_ name: String, or further: Set<String>) -> Bool {
    isSecret(name, or: further) && (!ambiguous.areWhole(of: plainBytes(name)) || further.contains(plain(name)))
  }

  /// Returns whether a secret was chosen by a person.
  static func isPassword(_ name: String) -> Bool { passwords.arePart(of: plainBytes(name)) }

  /// Returns whether a secret could be guessed from its fingerprint.
  static func isGuessable(_ name: String) -> Bool { isPassword(name) || typed.arePart(of: plainBytes(name)) }

  /// Returns whether the name is that of a header field with cookies, whose values may have spaces.
  static func isCookie(_ name: String) -> Bool { plain(name).ends(withBytes: "cookie") }

  /// Returns whether the name is that of a header field with a scheme before the credential.
  static func hasScheme(_ name: String) -> Bool { plain(name).ends(withBytes: "authorization") }

  /// Words in lower case that are looked for in names: parts of one array, because many arrays would take longer.
  private struct Words: Sendable {
    private let words: [ArraySlice<UInt8>]
    /// A bit for each letter that a word begins with.
    private let initials: UInt32

    /// - Parameter text: the words, separated by spaces.
    init(_ text: String) {
      words = Array(text.utf8).split(separator: UInt8(ascii: " "))
      initials = words.reduce(0) { $0 | Words.bit($1[$1.startIndex]) }
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
      let left = name.count - start
      return words.contains { word in
        guard toEnd ? word.count == left : word.count <= left else { return false }
        return name[start..<start + word.count] == word
      }
    }
  }
}
