import Synchronization

/// Keeps secrets, one item each: the seam into which a keyring is plugged.
public protocol SecretStore: Sendable {
  /// Reads an item; nil when it is certain that there is none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` in every other state of the store, within bounded time.
  func load(_ item: SecretItem) async throws(AuthError) -> Secret?

  /// Writes an item, in one piece, over what was there.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``; the former content is then still there.
  func save(_ secret: Secret, as item: SecretItem) async throws(AuthError)

  /// Writes an item over what is there, and only then: what was removed meanwhile stays removed.
  ///
  /// - Returns: false where there is no such item any more.
  /// - Throws: ``AuthError/storage(_:_:)``; the former content is then still there.
  func replace(_ item: SecretItem, with secret: Secret) async throws(AuthError) -> Bool

  /// Removes an item; no error where there is none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  func clear(_ item: SecretItem) async throws(AuthError)
}

extension SecretStore {
  /// Looks first, then writes: for a store that can't do both in one step.
  public func replace(_ item: SecretItem, with secret: Secret) async throws(AuthError) -> Bool {
    guard try await load(item) != nil else { return false }
    try await save(secret, as: item)
    return true
  }
}

/// Keeps secrets in memory: they go with the process.
package final class MemorySecretStore: SecretStore {
  private let items: Mutex<[SecretItem: Secret]>

  /// Begins with some items, or with none.
  package init(_ items: [SecretItem: Secret] = [:]) {
    self.items = Mutex(items)
  }

  package func load(_ item: SecretItem) async throws(AuthError) -> Secret? { items.withLock { $0[item] } }

  package func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) {
    items.withLock { $0[item] = secret }
  }

  package func clear(_ item: SecretItem) async throws(AuthError) { items.withLock { $0[item] = nil } }
}

/// Names one item of a ``SecretStore``: what is kept, and for which profile.
public struct SecretItem: Sendable, Hashable {
  /// What an item holds; the raw value is the public attribute `kind`.
  public enum Kind: String, Sendable, CaseIterable {
    /// The token pair, as JSON.
    case tokens
    /// The client's secret (RFC 6749, section 2.3.1).
    case clientSecret = "client-secret"
    /// The resource owner's password.
    case password
    /// The key to which the tokens are bound (RFC 9449), as a private JSON Web Key.
    case dpopKey = "dpop-key"
    /// The private key with which the client signs.
    case key
  }

  /// The profile's name.
  public let profile: String
  /// What the item holds.
  public let kind: Kind

  /// Names an item.
  public init(profile: String, kind: Kind) {
    self.profile = profile
    self.kind = kind
  }
}
