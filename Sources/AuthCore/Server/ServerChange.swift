/// What distinguishes the server that a profile describes from the one that issued something stored.
package enum ServerChange: String, Sendable {
  /// The issuer is a different one.
  case issuer
  /// The client is a different one.
  case client
  /// The token endpoint is at a different origin.
  case tokenEndpoint = "token_endpoint"

  /// The change in words, to be followed by "since the login".
  package var words: String {
    switch self {
    case .issuer: "the issuer in the profile has changed"
    case .client: "client_id in the profile has changed"
    case .tokenEndpoint: "the origin of the token endpoint has changed"
    }
  }
}

extension TokenPair.Server {
  /// Decides whether what this server issued, or what was given for it, may be sent to the server of a profile.
  ///
  /// Tokens, client secrets and keys all follow this one rule: issuer, client and the origin of the token endpoint must
  /// be the same (RFC 6749, section 10.4, and RFC 9700, section 4.4, want credentials bound to their server).
  ///
  /// - Parameter discovered: the token endpoint that the server's metadata names; nil if it was not asked for.
  /// - Returns: the first difference; nil if it is the same server and client.
  package func change(in profile: Profile, discovered: WebURL? = nil) -> ServerChange? {
    guard let custom = profile.custom else {
      return change(
        issuer: profile.issuer, clientID: profile.clientID, stated: profile.endpoints.token, discovered: discovered)
    }
    guard issuer == nil else { return .issuer }
    guard clientID.isEmpty else { return .client }
    // Items of earlier versions name one origin only.
    if let origins { return Set(custom.origins.map(\.string)).isSubset(of: origins) ? nil : .tokenEndpoint }
    return tokenOrigin.map { custom.origins.contains($0) } == true ? nil : .tokenEndpoint
  }

  /// The first difference from a server that something stored names; nil if it is the same one.
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
    // None was known at the login: the issuer vouches for the one in its metadata, but for no other.
    guard tokenEndpoint != nil else { return stated == nil && issuer != nil ? nil : .tokenEndpoint }
    return tokenOrigin == endpoint.origin ? nil : .tokenEndpoint
  }

  /// The origin of the token endpoint; nil if there is none, or an unusable one.
  private var tokenOrigin: Origin? {
    // An endpoint that can't be read is that of no server.
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
      .init(
        "profile \(profile.name)", why: "\(change.words) since the login; the tokens belong to the old server",
        remedy: .logIn(session: profile.name.string)))
  }
}
