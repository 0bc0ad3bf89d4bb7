import FoundationEssentials

extension AuthorizationServer {
  /// Returns the server for a login whose tokens are bound to a new key, if the profile requires that.
  public func withNewKey() -> AuthorizationServer {
    guard profile.dpop, profile.flow != .token else { return self }
    var server = self
    server.prover = DPoPProver(key: DPoPKey(), nonces: nonces, now: time)
    return server
  }

  /// The current time by the server's clock if it is known, else by the local clock.
  var time: @Sendable () -> Date {
    { [connection, clock] in connection.now().addingTimeInterval(clock.ahead) }
  }

  /// The key of the login in progress.
  package var newKey: DPoPKey? { prover?.key }

  /// Returns the server for operations on a pair: with the pair's key, if it has one.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` if the key is no longer in the store.
  func holdingKey(of pair: TokenPair) async throws(AuthError) -> AuthorizationServer {
    clock.learn(from: pair.localClock)
    guard let thumbprint = pair.dpopThumbprint else { return self }
    var server = self
    server.prover = DPoPProver(key: try await key(thumbprint), nonces: nonces, now: time)
    return server
  }

  /// Returns the credential for a request to the API.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` if the token is bound to a key that is no longer in the store.
  public func credential(_ pair: TokenPair) async throws(AuthError) -> APICredential {
    guard pair.needsProof, let prover = try await holdingKey(of: pair).prover else {
      return APICredential(pair.accessToken)
    }
    return APICredential(pair.accessToken, prover: prover)
  }

  private func key(_ thumbprint: String) async throws(AuthError) -> DPoPKey {
    // The key of a session without a store.
    if let key = prover?.key, key.thumbprint == thumbprint { return key }
    guard let secret = try await secrets.load(SecretItem(profile: profile.name.string, kind: .dpopKey)) else {
      throw keyIsMissing("the key that the tokens are bound to is not stored")
    }
    let key: DPoPKey
    do {
      key = try DPoPKey(stored: secret)
    } catch {
      throw keyIsMissing("the key to which the tokens are bound can't be read: \(error.reason)")
    }
    guard key.thumbprint == thumbprint else { throw keyIsMissing("the key in the keyring belongs to another login") }
    return key
  }

  private func keyIsMissing(_ why: String) -> AuthError {
    .mustLogIn(to: profile.name.string, why: why)
  }
}
