/// A successful answer of a token endpoint (RFC 6749, section 5.1), read as leniently as servers write it.
public struct TokenResponse: Sendable, Equatable {
  /// `access_token`
  public var accessToken: Secret
  /// `refresh_token`
  public var refreshToken: Secret?
  /// `token_type`; `Bearer` where the server says none.
  public var tokenType: String
  /// `expires_in`, in seconds: a number or a string, nil where it is absent or not above zero.
  public var expiresIn: Double?
  /// `refresh_expires_in` or `refresh_token_expires_in`, in seconds, as several servers answer beyond the RFC.
  public var refreshExpiresIn: Double?
  /// `scope`: what was granted, if the server says so; malformed words are left out (RFC 6749, section 3.3).
  public var scope: [String]?
  /// `issued_token_type` (RFC 8693, section 2.2.1): what a token exchange has issued.
  public var issuedTokenType: String?
  /// `id_token` (OpenID Connect Core, section 3.1.3.3).
  public var idToken: Secret?
  /// Who is logged in, if the response says so; else `sub` of the ID token counts.
  public var subject: String?

  /// Why a document is no token response; never quotes it.
  public struct Malformed: Error, Sendable, Equatable {
    /// The reason in words.
    public let reason: String
  }

  /// Makes a response of its parts.
  public init(
    accessToken: Secret, refreshToken: Secret? = nil, tokenType: String = "Bearer", expiresIn: Double? = nil,
    refreshExpiresIn: Double? = nil, scope: [String]? = nil, idToken: Secret? = nil,
    subject: String? = nil
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.tokenType = tokenType
    self.expiresIn = expiresIn
    self.refreshExpiresIn = refreshExpiresIn
    self.scope = scope
    self.idToken = idToken
    self.subject = subject
  }

  /// Reads the JSON object of a token endpoint.
  ///
  /// - Throws: ``Malformed`` where there is no usable `access_token`.
  public init(_ document: JSONValue) throws(Malformed) {
    guard case .object = document else { throw Malformed(reason: "the response is not a JSON object") }
    guard let accessToken = try TokenResponse.token("access_token", document["access_token"]) else {
      throw Malformed(reason: "the response has no access_token")
    }
    self.accessToken = accessToken
    refreshToken = try TokenResponse.token("refresh_token", document["refresh_token"])
    idToken = try TokenResponse.token("id_token", document["id_token"])
    issuedTokenType = document["issued_token_type"]?.string
    tokenType = document["token_type"]?.string ?? "Bearer"
    expiresIn = TokenResponse.seconds(document["expires_in"])
    refreshExpiresIn = TokenResponse.seconds(document["refresh_expires_in"] ?? document["refresh_token_expires_in"])
    scope = document["scope"]?.strings?.flatMap(\.scopeWords)
  }

  /// Returns the response with the refresh token's lifetime that a profile states, if the server sent none.
  ///
  /// - Parameter former: the refresh token before this response; the same one again does not start a new life.
  func stating(refreshTokenLifetime lifetime: Duration?, after former: Secret? = nil) -> TokenResponse {
    guard refreshExpiresIn == nil, let refreshToken, refreshToken != former else { return self }
    var response = self
    response.refreshExpiresIn = lifetime?.seconds
    return response
  }

  /// A token is visible ASCII (RFC 6749, appendix A.12): anything else could change the header that carries it.
  static func token(_ name: String, _ value: JSONValue?) throws(Malformed) -> Secret? {
    guard let value else { return nil }
    guard let text = value.string else { throw Malformed(reason: "\(name) is not a string") }
    guard !text.isEmpty else { return nil }
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Malformed(reason: "\(name) contains characters that no token has")
    }
    return Secret(text)
  }

  /// A lifetime, also where a server writes it as a string; nil where it is none or not above zero.
  static func seconds(_ value: JSONValue?) -> Double? {
    value?.lenientNumber.flatMap { $0 > 0 ? min($0, 1e10) : nil }
  }
}

extension String {
  /// Whether the text is a scope word: one or more characters of visible ASCII without `"` and `\` (RFC 6749, section
  /// 3.3).
  var isScopeWord: Bool {
    !isEmpty && utf8.allSatisfy { $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }
  }

  /// The well-formed words of a list that is separated by spaces.
  var scopeWords: [String] { split(separator: " ").map(String.init).filter(\.isScopeWord) }
}
