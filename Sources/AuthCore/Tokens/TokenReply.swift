/// The response of a server to a login or to a refresh, as a program decodes it.
///
/// Declare what the server sends, with these names and types; a member that is not declared counts as not sent. A
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
  /// The refresh token; nil if the response has none: a refresh then keeps the former one. It must be declared as an
  /// optional, even if the server always sends it.
  var refreshToken: Secret? { get }
  /// The access token's lifetime in seconds; nil if the response does not state it: `exp` of a JWT then counts.
  var expiresIn: Double? { get }
  /// The refresh token's lifetime in seconds; nil if the response does not state it.
  var refreshExpiresIn: Double? { get }
}

extension TokenReply {
  /// `nil`.
  public var refreshToken: Secret? { nil }
  /// `nil`.
  public var expiresIn: Double? { nil }
  /// `nil`.
  public var refreshExpiresIn: Double? { nil }

  /// The tokens of the response.
  var response: TokenResponse {
    self as? TokenResponse
      ?? TokenResponse(
        accessToken: accessToken, refreshToken: refreshToken, expiresIn: expiresIn, refreshExpiresIn: refreshExpiresIn)
  }
}

extension TokenResponse: TokenReply {
  /// Reads the members of RFC 6749, as ``init(_:)`` does.
  ///
  /// - Throws: ``Malformed``.
  public init(from decoder: any Decoder) throws { try self.init(JSONValue(from: decoder)) }
}
