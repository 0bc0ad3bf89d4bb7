/// A token exchange request (RFC 8693, section 2.1).
public struct TokenExchange: Sendable {
  /// A token and what it is.
  public struct Token: Sendable {
    /// The token itself.
    public var value: Secret
    /// `subject_token_type` or `actor_token_type`
    public var type: String

    /// Names a token and its type, a URN as of ``TokenExchange/typeURN(_:)``.
    public init(_ value: Secret, type: String) {
      self.value = value
      self.type = type
    }
  }

  /// On whose behalf the new token is asked for.
  public var subject: Token
  /// Who is to act for the subject, where that is somebody else than the client.
  public var actor: Token?
  /// `requested_token_type`; nil leaves it to the server.
  public var requestedType: String?

  /// Describes a request.
  public init(subject: Token, actor: Token? = nil, requestedType: String? = nil) {
    self.subject = subject
    self.actor = actor
    self.requestedType = requestedType
  }

  /// `grant_type` (section 2.1)
  static let grantType = "urn:ietf:params:oauth:grant-type:token-exchange"

  /// The short words for the types of section 3.
  public static let typeWords = ["access_token", "refresh_token", "id_token", "jwt", "saml1", "saml2"]

  /// The identifier of a token type: of a short word, or of a URI that is taken as it is; nil for anything else.
  public static func typeURN(_ text: String) -> String? {
    if typeWords.contains(text) { return "urn:ietf:params:oauth:token-type:\(text)" }
    let isURI = text.contains(":") && text.isVisibleASCII
    return isURI ? text : nil
  }

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
  /// The token exchange grant (RFC 8693).
  ///
  /// - Throws: ``AuthError/refused(_:)`` also where the server issues a token that is no access token: it could be
  ///   stored, but no API would take it.
  public func exchange(_ exchange: TokenExchange) async throws(AuthError) -> TokenPair {
    let response = try await ask(exchange.fields + profile.scopeAndTarget)
    // Section 2.2.1: N_A says that the token is not used like an access token.
    guard response.tokens.tokenType.uppercased() != "N_A" else {
      let type = response.tokens.issuedTokenType.map { Escaped.text($0) } ?? "a type that it does not name"
      throw .refused(
        .init(
          what, why: "the server issued a token that is not an access token (\(type))",
          hint: "nothing was stored; request a token of type access_token"))
    }
    return try pair(response)
  }
}
