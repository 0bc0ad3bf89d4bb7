/// The response of a server to a login or to a refresh, as a program decodes it.
///
/// Declare what the server sends, with these names and types; a lifetime that is not declared so counts as not sent. A
/// response with other names has computed properties:
///
/// ```swift
/// struct Reply: TokenReply {
///   struct Tokens: Decodable, Sendable { var access, refresh: Secret }
///   var data: Tokens
///   var accessToken: Secret { data.access }
///   var refreshToken: Secret? { data.refresh }
/// }
/// ```
public protocol TokenReply: Decodable, Sendable {
  /// The access token.
  var accessToken: Secret { get }
  /// The refresh token; nil if the response has none: a refresh then keeps the former one. It is an optional even if
  /// the server always sends it.
  var refreshToken: Secret? { get }
  /// The access token's lifetime in seconds; nil if the response does not state it: `exp` of a JWT then counts.
  var expiresIn: Double? { get }
  /// The refresh token's lifetime in seconds; nil if the response does not state it.
  var refreshExpiresIn: Double? { get }
}

extension TokenReply {
  // None for the refresh token: a property of another type would not count, and the token be lost without a word.

  /// `nil`.
  public var expiresIn: Double? { nil }
  /// `nil`.
  public var refreshExpiresIn: Double? { nil }

  /// Returns the tokens of the response, checked as those of a token endpoint.
  ///
  /// - Throws: ``TokenResponse/Malformed`` if a token is not one.
  func response() throws(TokenResponse.Malformed) -> TokenResponse {
    if let response = self as? TokenResponse { return response }
    func token(_ name: String, _ token: Secret?) throws(TokenResponse.Malformed) -> Secret? {
      try TokenResponse.token(name, token.map { .string($0.exposed) })
    }
    guard let accessToken = try token("accessToken", accessToken) else {
      throw TokenResponse.Malformed(reason: "the response has no access token")
    }
    return TokenResponse(
      accessToken: accessToken, refreshToken: try token("refreshToken", refreshToken),
      expiresIn: TokenResponse.seconds(expiresIn.map { .number($0) }),
      refreshExpiresIn: TokenResponse.seconds(refreshExpiresIn.map { .number($0) }))
  }
}

extension TokenResponse: TokenReply {
  /// Reads the members of RFC 6749, as ``init(_:)`` does.
  ///
  /// - Throws: ``Malformed``.
  public init(from decoder: any Decoder) throws { try self.init(JSONValue(from: decoder)) }
}
