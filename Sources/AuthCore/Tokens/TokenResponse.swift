/// A successful response from a token endpoint (RFC 6749, section 5.1), parsed leniently.
public struct TokenResponse: Sendable, Equatable {
  /// `access_token`
  public var accessToken: Secret
  /// `refresh_token`
  public var refreshToken: Secret?
  /// `token_type`; `Bearer` if the server sends none.
  public var tokenType: String
  /// `expires_in`, in seconds: a number or a string; nil if it is missing or not positive.
  public var expiresIn: Double?
  /// `refresh_expires_in` or `refresh_token_expires_in`, in seconds, which several servers send in addition to the
  /// RFC's members.
  public var refreshExpiresIn: Double?
  /// `scope`: the granted scope; nil if the server sends none. Malformed words are omitted (RFC 6749, section 3.3).
  public var scope: [String]?
  /// `issued_token_type` (RFC 8693, section 2.2.1): the type of token that a token exchange issued.
  public var issuedTokenType: String?
  /// `id_token` (OpenID Connect Core, section 3.1.3.3).
  public var idToken: Secret?
  /// The logged-in user; nil if the response does not state one, in which case `sub` of the ID token is used.
  public var subject: String?

  /// The reason why a document is not a token response; never quotes it.
  public struct Malformed: Error, Sendable, Equatable {
    /// The reason in words.
    public let reason: String
  }

  /// Creates a response from its parts.
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
  /// - Throws: ``Malformed`` if there is no usable `access_token`.
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
  /// - Parameter former: the refresh token before this response; if it is unchanged, its lifetime does not start again.
  func stating(refreshTokenLifetime lifetime: Duration?, after former: Secret? = nil) -> TokenResponse {
    guard refreshExpiresIn == nil, let refreshToken, refreshToken != former else { return self }
    var response = self
    response.refreshExpiresIn = lifetime?.seconds
    return response
  }

  /// Reads a token, which must be visible ASCII or spaces (RFC 6749, appendix A.12): other characters could change the
  /// header field.
  static func token(_ name: String, _ value: JSONValue?) throws(Malformed) -> Secret? {
    guard let value else { return nil }
    guard let text = value.string else { throw Malformed(reason: "\(name) is not a string") }
    guard !text.isEmpty else { return nil }
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Malformed(reason: "\(name) contains characters that no token has")
    }
    return Secret(text)
  }

  /// Reads a lifetime in seconds, a number or a string; nil if it is missing, not a number, or not positive.
  static func seconds(_ value: JSONValue?) -> Double? {
    value?.lenientNumber.flatMap { $0 > 0 ? min($0, 1e10) : nil }
  }
}
