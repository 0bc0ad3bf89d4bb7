/// The secrets that a login leaves beside its pair.
package struct LoginSecrets: Sendable {
  /// The client's secret; nil leaves what is stored.
  let clientSecret: Secret?
  /// The client's private key; nil leaves what is stored.
  let clientKey: Secret?
  /// The key to which the tokens are bound (RFC 9449); nil if they are not.
  let tokenKey: DPoPKey?

  /// Names the secrets that were given with a login.
  package init(clientSecret: Secret? = nil, clientKey: Secret? = nil, tokenKey: DPoPKey? = nil) {
    self.clientSecret = clientSecret
    self.clientKey = clientKey
    self.tokenKey = tokenKey
  }
}

/// The change of the secrets beside a pair that a new login makes.
///
/// What was given with the login is stored with the server that it belongs to. What was given for another server is
/// removed: it must not pass for a secret of the new one.
private struct Companions: Sendable {
  /// What is to be stored.
  private(set) var saved: [SecretItem: Secret] = [:]
  /// What is to be removed.
  private(set) var removed: [SecretItem] = []
  /// What the former session used, in the form of items, for its revocation.
  private(set) var former: [SecretItem: Secret] = [:]

  /// Reads what is stored, and decides what becomes of it.
  ///
  /// - Parameters:
  ///   - old: the pair that was stored until now.
  ///   - new: the pair that the login got.
  /// - Throws: ``AuthError/storage(_:_:)`` if the store can't be read.
  init(
    _ server: AuthorizationServer, _ given: LoginSecrets, after old: TokenPair?, before new: TokenPair
  ) async throws(AuthError) {
    for (kind, secret) in [(SecretItem.Kind.clientSecret, given.clientSecret), (.key, given.clientKey)] {
      let item = server.item(kind)
      let bound = secret.map { BoundSecret($0, to: new.server) }
      if let bound { saved[item] = try bound.stored() }
      guard new.server != nil else { continue }
      let stored = try await server.boundSecret(kind, of: old?.server)
      if secret == nil, let stored, !stored.belongs(to: new.server) { removed.append(item) }
      // A secret that was only replaced by a newer one is perhaps no longer accepted.
      former[item] = try (bound.flatMap { $0.belongs(to: old?.server) ? $0 : nil } ?? stored)?.stored()
    }
    if let key = given.tokenKey {
      saved[server.item(.dpopKey)] = key.stored()
    } else if old?.dpopThumbprint != nil {
      removed.append(server.item(.dpopKey))
    }
  }
}

extension SessionBackend {
  /// Stores the pair of a login together with its secrets.
  ///
  /// - Returns: what can revoke the former pair, with the secrets that it had.
  /// - Throws: ``AuthError/storage(_:_:)``.
  func store(_ pair: TokenPair, _ given: LoginSecrets, over former: TokenPair?) async throws(AuthError)
    -> any TokenRevocation
  {
    guard let server else {
      try await storage.save(pair)
      return revocation
    }
    let companions = try await Companions(server, given, after: former, before: pair)
    // Before the pair: that one is worth nothing without its key.
    for (item, secret) in companions.saved { try await server.secrets.save(secret, as: item) }
    try await storage.save(pair)
    for item in companions.removed { try await server.secrets.clear(item) }
    let secrets = MemorySecretStore(companions.former)
    return SessionBackend(
      of: AuthorizationServer(profile: server.profile, connection: server.connection, secrets: secrets)
    ).revocation
  }

  /// Removes all that is stored of the session.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  func clear() async throws(AuthError) {
    guard let server else { return try await storage.clear() }
    for kind in SecretItem.Kind.allCases { try await server.secrets.clear(server.item(kind)) }
  }

  /// Creates the credential that a request to the API carries.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` if the token is bound to a key that is no longer in the store.
  func credential(_ pair: TokenPair) async throws(AuthError) -> APICredential {
    try await server?.credential(pair) ?? APICredential(pair.accessToken)
  }
}

extension AuthorizationServer {
  /// The item of the store for one kind of secret of this server's profile.
  fileprivate func item(_ kind: SecretItem.Kind) -> SecretItem { SecretItem(profile: profile.name.string, kind: kind) }
}

extension BoundSecret {
  /// Whether the secret was given for a server.
  fileprivate func belongs(to other: TokenPair.Server?) -> Bool {
    guard let server, let other else { return false }
    return server.change(to: other) == nil
  }
}
