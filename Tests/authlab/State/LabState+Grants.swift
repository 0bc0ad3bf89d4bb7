import Crypto
import Foundation

/// The grants of the token endpoint, each in one turn.
extension LabState {
  /// Exchanges an authorization code (RFC 6749, section 4.1.3; RFC 7636, section 4.6).
  /// - Throws: `OAuthError` that says why not.
  func exchangeCode(_ form: FormFields, client: Client) throws -> TokenResponse {
    guard let value = form["code"] else { throw OAuthError("invalid_request", "The parameter code is missing.") }
    guard var code = codes[value], code.request.clientID == client.id else {
      throw OAuthError("invalid_grant", "The authorization code is not known.")
    }
    guard !code.isSpent else {
      // A replayed code revokes what its first use has brought (RFC 6749, section 4.1.2).
      if let family = code.family { families[family]?.isRevoked = true }
      count("code_replayed")
      throw OAuthError("invalid_grant", "The authorization code was used before.")
    }
    code.isSpent = true
    codes[value] = code
    guard code.expiresAt > now else { throw OAuthError("invalid_grant", "The authorization code has expired.") }
    guard form["redirect_uri"] == code.request.redirectURI else {
      throw OAuthError("invalid_grant", "The redirect URI is not that of the authorization request.")
    }
    try verify(form["code_verifier"], against: code.request.codeChallenge)
    let resources = try resources(form, within: code.request.resources)
    let family = startFamily(
      subject: code.subject, clientID: client.id, scope: code.request.scope, acrValues: code.request.acrValues,
      resources: code.request.resources.isEmpty ? resources : code.request.resources)
    codes[value]?.family = family
    return try issue(
      family, withRefreshToken: getsRefreshToken(client, scope: code.request.scope, request: code.request),
      nonce: code.request.nonce, resources: resources)
  }

  /// Exchanges a refresh token (RFC 6749, section 6).
  /// - Throws: `OAuthError` that says why not.
  func refresh(_ form: FormFields, client: Client) throws -> TokenResponse {
    guard let value = form["refresh_token"] else {
      throw OAuthError("invalid_request", "The parameter refresh_token is missing.")
    }
    guard let token = refreshTokens[value], let family = families[token.family], family.clientID == client.id else {
      throw OAuthError.deadRefreshToken("The refresh token is not known.")
    }
    guard !family.isRevoked else { throw OAuthError.deadRefreshToken("The refresh token was revoked.") }
    if token.isSpent && settings.reuse != .none {
      count("reuse_detected")
      if settings.reuse == .strict { families[token.family]?.isRevoked = true }
      throw OAuthError.deadRefreshToken("The refresh token was used before.")
    }
    guard token.expiresAt > now else { throw OAuthError.deadRefreshToken("The refresh token has expired.") }
    let scope = try scope(form["scope"], default: family.scope)
    guard Set(scope).isSubset(of: family.scope) else {
      throw OAuthError("invalid_scope", "The scope is wider than the one that was granted.")
    }
    if settings.refreshKillsAccessToken { accessTokens[token.accessToken]?.isRevoked = true }
    return try rotate(
      value, family: token.family, scope: scope, resources: resources(form, within: family.resources))
  }

  /// Grants for a name and a password (RFC 6749, section 4.3).
  /// - Throws: `OAuthError` that says why not.
  func grantForPassword(_ form: FormFields, client: Client) throws -> TokenResponse {
    guard let name = form["username"], let password = form["password"] else {
      throw OAuthError("invalid_request", "The parameters username and password are needed.")
    }
    guard users[name]?.password == password else {
      throw OAuthError("invalid_grant", "The user name or the password is wrong.")
    }
    let scope = try grantedScope(form["scope"], for: client)
    return try issue(
      startFamily(subject: name, clientID: client.id, scope: scope, resources: resources(form)),
      withRefreshToken: getsRefreshToken(client, scope: scope))
  }

  /// Grants to a client for itself (RFC 6749, section 4.4).
  /// - Throws: `OAuthError` that says why not.
  func grantToClient(_ form: FormFields, client: Client) throws -> TokenResponse {
    guard client.isConfidential else {
      throw OAuthError("unauthorized_client", "A public client can't use this grant.")
    }
    let family = startFamily(
      subject: client.id, clientID: client.id, scope: try grantedScope(form["scope"], for: client),
      resources: try resources(form))
    return try issue(family, withRefreshToken: settings.refreshTokenForClientCredentials)
  }

  /// The scope that is granted when `text` is asked for (RFC 6749, section 3.3).
  /// - Throws: `OAuthError` when it names a scope that is not known, or that the client has not registered.
  func grantedScope(_ text: String?, for client: Client) throws(OAuthError) -> [String] {
    let registered = settings.registeredScopeBinds ? client.metadata?.scope : nil
    let asked = try scope(text, default: registered ?? ["api"])
    guard Set(asked).isSubset(of: registered ?? asked) else {
      throw OAuthError("invalid_scope", "The scope is wider than the one that the client has registered.")
    }
    return settings.grantedScope.isEmpty ? asked : settings.grantedScope.split(separator: " ").map(String.init)
  }

  private func scope(_ text: String?, default: [String]) throws(OAuthError) -> [String] {
    guard let text else { return `default` }
    let scope = text.split(separator: " ").map(String.init)
    guard scope.allSatisfy(settings.scopes.contains) else {
      throw OAuthError("invalid_scope", "The scope names a value that is not known.")
    }
    return scope
  }

  /// Whether a login brings a refresh token; `request` is nil where there was no browser.
  func getsRefreshToken(_ client: Client, scope: [String], request: AuthorizationRequest? = nil) -> Bool {
    guard client.allows("refresh_token") else { return false }
    return switch settings.refreshTokenFor {
    case .always: true
    case .never: false
    case .offlineAccess: scope.contains("offline_access")
    case .accessType: request?.isOffline ?? true
    case .consent: request?.asksForConsent ?? true
    }
  }

  private func verify(_ verifier: String?, against challenge: String?) throws(OAuthError) {
    switch (verifier, challenge) {
    case (nil, nil): return
    case (let verifier?, let challenge?):
      guard Base64URL.encode(SHA256.hash(data: Data(verifier.utf8))) == challenge else {
        throw OAuthError("invalid_grant", "The code verifier does not belong to the challenge.")
      }
    case (nil, _): throw OAuthError("invalid_request", "The parameter code_verifier is missing.")
    case (_, nil): throw OAuthError("invalid_grant", "There was no challenge in the authorization request.")
    }
  }
}
