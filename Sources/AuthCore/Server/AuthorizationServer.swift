/// The authorization server of a profile, as far as a session needs it: where its endpoints are and who the client is.
public struct AuthorizationServer: Sendable {
  let profile: Profile
  /// How it is reached.
  public let connection: ServerConnection
  let secrets: any SecretStore
  /// Proves the possession of the key to which tokens are bound; nil where they are bound to none.
  var prover: DPoPProver?
  /// The nonces for proofs, of this server and of the APIs.
  let nonces = DPoPNonces()
  /// The server's clock, by which proofs and assertions are dated.
  let clock = ServerClock()

  /// Describes the server of a profile; `secrets` holds the client's secret.
  public init(profile: Profile, connection: ServerConnection, secrets: any SecretStore) {
    self.profile = profile
    self.connection = connection
    self.secrets = secrets
  }

  /// The endpoints of the profile, and of discovery where the profile names an issuer.
  public func metadata() async throws(AuthError) -> ServerMetadata? {
    guard let issuer = profile.issuer else { return nil }
    let usesMTLS = profile.clientAuthentication == .tls
    return try await Discovery(issuer: issuer, connection: connection, usesMTLS: usesMTLS).metadata()
  }

  /// Where tokens are got: as the profile says, else as `metadata` does.
  func tokenEndpoint(_ metadata: ServerMetadata?, secret: Secret?) throws(AuthError) -> TokenEndpoint {
    guard let url = profile.endpoints.token ?? metadata?.tokenEndpoint else {
      throw .refused(
        .init(
          "profile \(profile.name)", why: "the server names no token endpoint",
          hint: "add token = \"https://…\" to [endpoints] in the profile"))
    }
    return tokenEndpoint(at: url, secret: secret)
  }

  func tokenEndpoint(at url: WebURL, secret: Secret?) -> TokenEndpoint {
    TokenEndpoint(url: url, client: client(secret), connection: connection, prover: prover, clock: clock)
  }

  func client(_ secret: Secret?) -> OAuthClient {
    OAuthClient(
      clientID: profile.clientID, authentication: profile.clientAuthentication, basicEncoding: profile.basicEncoding,
      secret: secret, assertions: assertions)
  }

  /// The client's secret from the store, or the private key of `private_key_jwt`; nil where this client has neither.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` where it should be there and is not, ``AuthError/usage(_:)`` where the
  ///   key can't be used.
  public func clientSecret() async throws(AuthError) -> Secret? {
    if profile.clientAuthentication == .privateKeyJWT { return try await assertionKey() }
    guard profile.clientAuthentication.needsSecret else { return nil }
    guard let secret = try await secrets.load(SecretItem(profile: profile.name.string, kind: .clientSecret)) else {
      throw .loginRequired(
        .init(
          "profile \(profile.name)", why: "the client's secret is not in the keyring",
          remedy: .giveClientSecret(session: profile.name.string)))
    }
    return secret
  }

  /// What is stored with a pair about where it came from.
  func record(_ metadata: ServerMetadata?, tokenEndpoint: WebURL?) -> TokenPair.Server {
    TokenPair.Server(
      issuer: profile.issuer, clientID: profile.clientID, tokenEndpoint: tokenEndpoint?.string,
      revocationEndpoint: (profile.endpoints.revocation ?? metadata?.revocationEndpoint)?.string)
  }
}
