/// The difference between the server that a profile describes and the issuer of a stored item.
package enum ServerChange: String, Sendable {
  /// The issuer is a different one.
  case issuer
  /// The client is a different one.
  case client
  /// The token endpoint is at a different origin.
  case tokenEndpoint = "token_endpoint"

  /// The change in words, worded to be followed by "since the login".
  package var words: String {
    switch self {
    case .issuer: "the issuer in the profile has changed"
    case .client: "client_id in the profile has changed"
    case .tokenEndpoint: "the origin of the token endpoint has changed"
    }
  }
}

extension TokenPair.Server {
  /// Decides whether stored tokens or secrets for this server may be sent to the server of a profile.
  ///
  /// The same rule applies to tokens, client secrets and keys: the issuer, the client and the origin of the token
  /// endpoint must be the same (RFC 6749, section 10.4, and RFC 9700, section 4.4, require credentials to be bound to
  /// their server).
  ///
  /// - Parameter discovered: the token endpoint from the server's metadata; nil if the metadata was not fetched.
  /// - Returns: the first difference; nil if it is the same server and client.
  package func change(in profile: Profile, discovered: WebURL? = nil) -> ServerChange? {
    guard let custom = profile.custom else {
      // Without a client ID in the profile, the client is the one that the login has chosen.
      let clientID = profile.lacksClient ? clientID : profile.clientID
      return change(
        issuer: profile.issuer, clientID: clientID, stated: profile.endpoints.token, discovered: discovered)
    }
    guard issuer == nil else { return .issuer }
    guard clientID.isEmpty else { return .client }
    // Items of earlier versions name one origin only.
    if let origins { return Set(custom.origins.map(\.string)).isSubset(of: origins) ? nil : .tokenEndpoint }
    return tokenOrigin.map { custom.origins.contains($0) } == true ? nil : .tokenEndpoint
  }

  /// Returns the first difference from the server of a stored item; nil if it is the same server.
  func change(to other: TokenPair.Server) -> ServerChange? {
    guard other.tokenEndpoint == nil || other.tokenOrigin != nil else { return .tokenEndpoint }
    return change(
      issuer: other.issuer, clientID: other.clientID, stated: nil,
      discovered: other.tokenEndpoint.flatMap { try? WebURL($0) })
  }

  private func change(issuer: String?, clientID: String, stated: WebURL?, discovered: WebURL?) -> ServerChange? {
    guard self.issuer == issuer else { return .issuer }
    guard self.clientID == clientID else { return .client }
    guard tokenEndpoint == nil || tokenOrigin != nil else { return .tokenEndpoint }
    guard let endpoint = stated ?? discovered else { return nil }
    // No endpoint was known at the login: the issuer vouches for the one in its metadata only.
    guard tokenEndpoint != nil else { return stated == nil && issuer != nil ? nil : .tokenEndpoint }
    return tokenOrigin == endpoint.origin ? nil : .tokenEndpoint
  }

  /// The origin of the token endpoint; nil if there is none or it is unusable.
  private var tokenOrigin: Origin? {
    // An invalid endpoint belongs to no server.
    tokenEndpoint.flatMap { try? WebURL($0) }?.origin
  }
}

extension TokenPair {
  /// Checks that the pair belongs to the server and client of a profile.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` with what has changed.
  func proveIssued(byServerOf profile: Profile) throws(AuthError) {
    guard let change = server?.change(in: profile) else { return }
    throw .loginRequired(
      "profile \(profile.name)", why: "\(change.words) since the login; the tokens belong to the old server",
      remedy: .logIn(session: profile.name.string))
  }
}
