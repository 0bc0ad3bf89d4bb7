/// A token exchange request (RFC 8693, section 2.1).
public struct TokenExchange: Sendable {
  /// A token and its type.
  public struct Token: Sendable {
    /// The token itself.
    public var value: Secret
    /// `subject_token_type` or `actor_token_type`
    public var type: String

    /// Creates a token with its type, a URN as returned by ``TokenExchange/typeURN(_:)``.
    public init(_ value: Secret, type: String) {
      self.value = value
      self.type = type
    }
  }

  /// The token of the party on whose behalf the new token is requested.
  public var subject: Token
  /// The token of the party that acts for the subject; nil if that is the client.
  public var actor: Token?
  /// `requested_token_type`; if nil, the server decides.
  public var requestedType: String?

  /// Creates a request.
  public init(subject: Token, actor: Token? = nil, requestedType: String? = nil) {
    self.subject = subject
    self.actor = actor
    self.requestedType = requestedType
  }

  /// `grant_type` (section 2.1)
  static let grantType = Profile.tokenExchangeGrantType

  /// The short names of the token types in section 3.
  public static let typeWords = SubjectTokenSettings.typeWords

  /// Returns the identifier for the short name of a token type. A URI is returned unchanged; any other text yields nil.
  public static func typeURN(_ text: String) -> String? { SubjectTokenSettings.typeURN(text) }

  var fields: [(name: String, value: String)] {
    var fields = [
      (name: "grant_type", value: TokenExchange.grantType),
      ("subject_token", subject.value.exposed), ("subject_token_type", subject.type),
    ]
    if let actor { fields += [("actor_token", actor.value.exposed), ("actor_token_type", actor.type)] }
    if let requestedType { fields.append(("requested_token_type", requestedType)) }
    return fields
  }
}

extension Login {
  /// Requests tokens with the token exchange grant (RFC 8693).
  ///
  /// - Throws: ``AuthError/refused(_:)``, also if the server issues a token that is not an access token: no API would
  ///   accept it.
  public func exchange(_ exchange: TokenExchange) async throws(AuthError) -> TokenPair {
    try accessToken(try await ask(exchange.fields + profile.scopeAndTarget))
  }

  /// Requests tokens with the token that the profile's file or command gives (RFC 8693; RFC 7523, section 2.1). This
  /// login can be repeated, so that a refresh token is not kept.
  ///
  /// - Parameter subject: the token, from ``AuthorizationServer/subjectToken()``.
  package func exchange(ofWorkload subject: Secret) async throws(AuthError) -> TokenPair {
    var pair = try accessToken(try await ask(profile.subjectTokenGrant(subject)))
    (pair.refreshToken, pair.refreshExpiresAt) = (nil, nil)
    return pair
  }

  private func accessToken(_ response: TokenEndpoint.Response) throws(AuthError) -> TokenPair {
    // Section 2.2.1: with N_A, the token is not used as an access token.
    guard response.tokens.tokenType.uppercased() != "N_A" else {
      let type = response.tokens.issuedTokenType.map { Escaped.text($0) } ?? "a type that it does not name"
      throw .refused(
        what, why: "the server issued a token that is not an access token (\(type))",
        hint: "nothing was stored; request a token of type access_token")
    }
    return try pair(response)
  }
}
