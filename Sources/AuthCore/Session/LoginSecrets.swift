/// The secrets that a login stores beside its pair.
package struct LoginSecrets: Sendable {
  /// The client's secret; nil keeps the stored one.
  let clientSecret: Secret?
  /// The client's private key; nil keeps the stored one.
  let clientKey: Secret?
  /// The key to which the tokens are bound (RFC 9449); nil if they are not.
  let tokenKey: DPoPKey?

  /// Creates the secrets of a login.
  package init(clientSecret: Secret? = nil, clientKey: Secret? = nil, tokenKey: DPoPKey? = nil) {
    self.clientSecret = clientSecret
    self.clientKey = clientKey
    self.tokenKey = tokenKey
  }
}

/// The changes that a new login makes to the secrets stored beside the pair.
///
/// A secret that was given with the login is stored with the server that it belongs to. A secret that was given for
/// another server is removed: it must not be used as a secret of the new one.
private struct Companions: Sendable {
  /// The secrets to store.
  private(set) var saved: [SecretItem: Secret] = [:]
  /// The items to remove.
  private(set) var removed: [SecretItem] = []
  /// The secrets of the former session, which its revocation needs.
  private(set) var former: [SecretItem: Secret] = [:]

  /// Reads the stored secrets, and decides which are stored, replaced or removed.
  ///
  /// - Parameters:
  ///   - old: the pair that was stored until now.
  ///   - new: the pair that the login has obtained.
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
      // If a newer secret of the same server was given, the server may no longer accept the stored one.
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
  /// - Returns: the revocation of the former pair, with that pair's secrets.
  /// - Throws: ``AuthError/storage(_:_:)``.
  func store(_ pair: TokenPair, _ given: LoginSecrets, over former: TokenPair?) async throws(AuthError)
    -> any TokenRevocation
  {
    guard let server else {
      try await storage.save(pair)
      return revocation
    }
    let companions = try await Companions(server, given, after: former, before: pair)
    // Before the pair, which is useless without its key.
    for (item, secret) in companions.saved { try await server.secrets.save(secret, as: item) }
    try await storage.save(pair)
    for item in companions.removed { try await server.secrets.clear(item) }
    var former = companions.former
    if let item = server.registrationItem { former[item] = try await server.secrets.load(item) }
    return SessionBackend(of: server.with(secrets: MemorySecretStore(former))).revocation
  }

  /// Removes everything that is stored for the session.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  func clear() async throws(AuthError) {
    guard let server else { return try await storage.clear() }
    for kind in SecretItem.Kind.ofProfile {
      do throws(AuthError) {
        try await server.secrets.clear(server.item(kind))
      } catch .storage(.noCollection, _) {
        // A keyring without a collection has no item to remove.
      }
    }
  }

  /// Creates the credential that a request to the API carries.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` if the token is bound to a key that is no longer in the store.
  func credential(_ pair: TokenPair) async throws(AuthError) -> APICredential {
    try await server?.credential(pair) ?? APICredential(pair.accessToken)
  }
}

extension AuthorizationServer {
  /// Returns the item of one kind of secret of this server's profile.
  fileprivate func item(_ kind: SecretItem.Kind) -> SecretItem { SecretItem(profile: profile.name.string, kind: kind) }
}

extension BoundSecret {
  /// Whether the secret was given for a server.
  fileprivate func belongs(to other: TokenPair.Server?) -> Bool {
    guard let server, let other else { return false }
    return server.change(to: other) == nil
  }
}
