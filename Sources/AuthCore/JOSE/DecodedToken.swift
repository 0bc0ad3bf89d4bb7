/// The parts of a token that its holder can read, none of which is verified.
package struct DecodedToken: Sendable, Equatable {
  /// The form of a token.
  package enum Format: String, Sendable {
    /// A JSON Web Token (RFC 7519): header and claims can be read, whether or not it is signed.
    case jwt
    /// An encrypted token (RFC 7516): only the header can be read.
    case encrypted
    /// Only the authorization server can read it.
    case opaque
    /// It looks like a JWT, but can't be decoded.
    case damaged
  }

  /// The form of the token.
  package let format: Format
  /// The header, a JSON object; nil for an opaque token.
  package let header: JSONValue?
  /// The claims, a JSON object; nil unless it is a JWT.
  package let claims: JSONValue?

  /// The maximum length of a token that is decoded, in bytes.
  private static let limit = 256 << 10

  /// Decodes a compact serialization (RFC 7515, section 3.1; RFC 7516, section 3.1); every other text is opaque.
  package init(_ token: Secret) {
    let parts =
      token.exposed.utf8.count > DecodedToken.limit
      ? [] : token.exposed.split(atAny: ".", omittingEmptySubsequences: false)
    let header = parts.first.flatMap { JSONValue(objectInBase64URL: $0) }
    if parts.count == 3, let header, let claims = JSONValue(objectInBase64URL: parts[1]) {
      self.init(format: .jwt, header: header, claims: claims)
    } else if parts.count == 5, let header, header["enc"] != nil {
      self.init(format: .encrypted, header: header, claims: nil)
    } else {
      let isDamaged = parts.prefix(2).contains { $0.utf8.starts(with: DecodedToken.jsonStart) }
      self.init(format: isDamaged ? .damaged : .opaque, header: nil, claims: nil)
    }
  }

  /// The Base64url of `{"`, with which header and claims of almost every JWT begin.
  private static let jsonStart = "eyJ".utf8

  /// Creates the form of a JWT of which only the claims are known; nil if the text is not a JSON object.
  package init?(claims text: String) {
    guard let claims = try? JSONValue(parsing: text.utf8), case .object = claims else { return nil }
    self.init(format: .jwt, header: nil, claims: claims)
  }

  private init(format: Format, header: JSONValue?, claims: JSONValue?) {
    self.format = format
    self.header = header
    self.claims = claims
  }
}
