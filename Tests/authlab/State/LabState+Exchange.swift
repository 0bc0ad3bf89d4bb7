/// Tokens for other tokens (RFC 8693).
extension LabState {
  private static let types = "urn:ietf:params:oauth:token-type:"

  /// Exchanges a token for one of the same person.
  /// - Throws: `OAuthError` that says why not.
  func exchangeToken(_ form: FormFields, client: Client) throws -> TokenResponse {
    let subject = try family(form, "subject")
    if form["actor_token"] != nil {
      _ = try family(form, "actor")
      count("exchange.with_actor")
    } else if form["actor_token_type"] != nil {
      throw OAuthError("invalid_request", "There is a type of an actor's token without the token.")
    }
    let family = startFamily(
      subject: subject.subject, clientID: client.id, scope: try grantedScope(form["scope"], for: client),
      resources: try resources(form))
    var response = try issue(family, withRefreshToken: settings.refreshTokenForClientCredentials)
    let requested = form["requested_token_type"] ?? Self.types + "access_token"
    response.issuedTokenType = requested
    if requested != Self.types + "access_token" { response.tokenType = "N_A" }
    return response
  }

  private func family(_ form: FormFields, _ who: String) throws(OAuthError) -> TokenFamily {
    guard let token = form["\(who)_token"], let type = form["\(who)_token_type"] else {
      throw OAuthError("invalid_request", "The parameters \(who)_token and \(who)_token_type are needed.")
    }
    guard [Self.types + "access_token", Self.types + "jwt"].contains(type) else {
      throw OAuthError("invalid_request", "The type of the \(who)'s token is not supported.")
    }
    guard case .valid(_, let family) = status(of: token) else {
      throw OAuthError("invalid_grant", "The \(who)'s token is not valid.")
    }
    return family
  }
}
