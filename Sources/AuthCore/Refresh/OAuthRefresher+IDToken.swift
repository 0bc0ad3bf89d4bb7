extension OAuthRefresher {
  /// Checks the ID token of a refresh response, if it has one. Its issuer, subject and audience must match the login
  /// (OpenID Connect Core, section 12.2).
  ///
  /// Its signature is not verified: it comes directly from the token endpoint (section 3.1.3.7, item 6), and a refresh,
  /// which has used up a refresh token, must not depend on a second request. An ID token that can't be read is ignored
  /// for the same reason: nothing depends on it.
  ///
  /// - Throws: ``AuthError/refused(_:)`` if the tokens are for another user: they must not replace the stored ones.
  func checked(_ response: TokenResponse, after pair: TokenPair, _ server: AuthorizationServer) throws(AuthError)
    -> TokenResponse
  {
    guard let idToken = response.idToken else { return response }
    guard let token = try? SignedToken(idToken) else {
      server.connection.events(.warning("the ID token of the refresh can't be read; ignored"))
      var without = response
      without.idToken = nil
      return without
    }
    guard let reason = OAuthRefresher.reasonToRefuse(token.claims, after: pair, clientID: server.profile.clientID)
    else {
      return response
    }
    throw .refused(
      "refreshing the token of \(server.profile.name)", why: "the ID token in the response \(reason)",
      hint: "the stored tokens are unchanged; log in again, and ask the server's operator")
  }

  private static func reasonToRefuse(_ claims: JSONValue, after pair: TokenPair, clientID: String) -> String? {
    if let issuer = pair.server?.issuer, claims["iss"]?.string != issuer {
      return "is from a different issuer: \(IDTokenCheck.both(claims["iss"], issuer))"
    }
    if let subject = pair.subject, claims["sub"]?.string != subject {
      return "is for a different person (sub): \(IDTokenCheck.both(claims["sub"], subject))"
    }
    return IDTokenCheck.audienceFault(claims, clientID: clientID)
  }
}
