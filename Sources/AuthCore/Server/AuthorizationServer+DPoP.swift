import FoundationEssentials

extension AuthorizationServer {
  /// The server for a login whose tokens are to be bound to a new key, where the profile wants that.
  public func withNewKey() -> AuthorizationServer {
    guard profile.dpop, profile.flow != .token else { return self }
    var server = self
    server.prover = DPoPProver(key: DPoPKey(), nonces: nonces, now: time)
    return server
  }

  /// The time by the server's clock, as far as it is known.
  var time: @Sendable () -> Date {
    { [connection, clock] in connection.now().addingTimeInterval(clock.ahead) }
  }

  /// The key of a login that is under way.
  package var newKey: DPoPKey? { prover?.key }

  /// The server for whatever is done with a pair: with the pair's key, where it has one.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` where the key is not in the store any more.
  func holdingKey(of pair: TokenPair) async throws(AuthError) -> AuthorizationServer {
    clock.learn(from: pair.localClock)
    guard let thumbprint = pair.dpopThumbprint else { return self }
    var server = self
    server.prover = DPoPProver(key: try await key(thumbprint), nonces: nonces, now: time)
    return server
  }

  /// What a request to the API carries.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` where the token is bound to a key that is not in the store any more.
  public func credential(_ pair: TokenPair) async throws(AuthError) -> APICredential {
    guard pair.needsProof, let prover = try await holdingKey(of: pair).prover else {
      return APICredential(pair.accessToken)
    }
    return APICredential(pair.accessToken, prover: prover)
  }

  private func key(_ thumbprint: String) async throws(AuthError) -> DPoPKey {
    guard let secret = try await secrets.load(SecretItem(profile: profile.name.string, kind: .dpopKey)) else {
      throw keyIsMissing("the key that the tokens are bound to is not in the keyring")
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
