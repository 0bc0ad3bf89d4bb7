/// The stored client secret and private key of a profile, as a new login leaves them.
///
/// What was given with the login is stored with the server that it belongs to. What was given for another server is
/// removed: it must not pass for a secret of the new one.
struct Companions: Sendable {
  /// What is to be stored.
  private(set) var saved: [SecretItem: Secret] = [:]
  /// What is to be removed.
  private(set) var removed: [SecretItem] = []
  /// What the former session used, in the form of items, for its revocation.
  private(set) var former: [SecretItem: Secret] = [:]

  /// Reads what is stored, and decides what becomes of it.
  ///
  /// - Parameters:
  ///   - secret: the client secret that was given with the login; nil if none was.
  ///   - key: the private key that was given with the login; nil if none was.
  ///   - old: the pair that was stored until now.
  ///   - new: the pair that the login got.
  /// - Throws: ``AuthError/storage(_:_:)`` if the store can't be read.
  init(
    _ server: AuthorizationServer, secret: Secret?, key: Secret?, after old: TokenPair?, before new: TokenPair
  ) async throws(AuthError) {
    for (kind, given) in [(SecretItem.Kind.clientSecret, secret), (.key, key)] {
      let item = SecretItem(profile: server.profile.name.string, kind: kind)
      let bound = given.map { BoundSecret($0, to: new.server) }
      if let bound { saved[item] = try bound.stored() }
      guard new.server != nil else { continue }
      let stored = try await server.boundSecret(kind, of: old?.server)
      if given == nil, let stored, !stored.belongs(to: new.server) { removed.append(item) }
      // A secret that was only replaced by a newer one is perhaps no longer accepted.
      former[item] = try (bound.flatMap { $0.belongs(to: old?.server) ? $0 : nil } ?? stored)?.stored()
    }
  }
}

extension BoundSecret {
  /// Whether the secret was given for a server.
  fileprivate func belongs(to other: TokenPair.Server?) -> Bool {
    guard let server, let other else { return false }
    return server.change(to: other) == nil
  }
}
