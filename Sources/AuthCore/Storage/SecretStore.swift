import Synchronization

/// Stores secrets, one per item; implement it to use another keyring.
public protocol SecretStore: Sendable {
  /// Reads an item; nil only if it certainly does not exist.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` in any other case, within bounded time.
  func load(_ item: SecretItem) async throws(AuthError) -> Secret?

  /// Writes an item atomically, replacing its former content.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``; the former content is then still there.
  func save(_ secret: Secret, as item: SecretItem) async throws(AuthError)

  /// Writes an item only if it exists, so that an item removed in the meantime stays removed.
  ///
  /// - Returns: false if the item no longer exists.
  /// - Throws: ``AuthError/storage(_:_:)``; the former content is then still there.
  func replace(_ item: SecretItem, with secret: Secret) async throws(AuthError) -> Bool

  /// Removes an item; it is not an error if there is none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  func clear(_ item: SecretItem) async throws(AuthError)
}

extension SecretStore {
  /// Reads first, then writes: for a store that can't do both in one step.
  public func replace(_ item: SecretItem, with secret: Secret) async throws(AuthError) -> Bool {
    guard try await load(item) != nil else { return false }
    try await save(secret, as: item)
    return true
  }
}

/// A secret store that can prove before an exchange that the result can be stored.
package protocol ReservingSecretStore: SecretStore {
  /// Proves that items can be written, with room for the tokens of any response.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` if they can't.
  func proveWritable() async throws(AuthError)

  /// Writes an item as ``SecretStore/replace(_:with:)``, and reserves room for the next write of this store.
  ///
  /// - Returns: false if the item no longer exists.
  /// - Throws: ``AuthError/storage(_:_:)``; the former content is then still there.
  func replaceReserving(_ item: SecretItem, with secret: Secret) async throws(AuthError) -> Bool

  /// Gives back the room that this store has reserved and that no write has used.
  func releaseReservation()

  /// The file in which the last write waits to be completed, as a phrase; nil if it is complete.
  ///
  /// What was written is not lost, and is read like any other content.
  var unfinished: String? { get }
}

/// Stores secrets in memory until the process ends.
package final class MemorySecretStore: SecretStore {
  private let items: Mutex<[SecretItem: Secret]>

  /// Creates a store with initial items.
  package init(_ items: [SecretItem: Secret] = [:]) {
    self.items = Mutex(items)
  }

  package func load(_ item: SecretItem) async throws(AuthError) -> Secret? { items.withLock { $0[item] } }

  package func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) {
    items.withLock { $0[item] = secret }
  }

  package func clear(_ item: SecretItem) async throws(AuthError) { items.withLock { $0[item] = nil } }
}

/// Identifies one item of a ``SecretStore`` by its kind, and by its profile or issuer.
public struct SecretItem: Sendable, Hashable {
  /// The kind of an item; the raw value is the public attribute `kind`.
  public enum Kind: String, Sendable, CaseIterable {
    /// The token pair, as JSON.
    case tokens
    /// The client's secret (RFC 6749, section 2.3.1).
    case clientSecret = "client-secret"
    /// The resource owner's password.
    case password
    /// The key to which the tokens are bound (RFC 9449), as a private JSON Web Key.
    case dpopKey = "dpop-key"
    /// The private key with which the client signs assertions.
    case key
    /// The client that was registered at an issuer (RFC 7591), as JSON. All profiles of the issuer share it.
    case registration

    /// The kinds of items that belong to a profile.
    package static let ofProfile = allCases.filter { $0 != .registration }
  }

  /// The profile's name; empty for a registration, which belongs to an issuer.
  public let profile: String
  /// The issuer of a registration; nil for the items of a profile.
  public let issuer: String?
  /// The kind of the item.
  public let kind: Kind

  /// Creates an identifier of an item of a profile.
  public init(profile: String, kind: Kind) {
    self.profile = profile
    issuer = nil
    self.kind = kind
  }

  /// Creates the identifier of the client that was registered at an issuer.
  public init(registrationAt issuer: String) {
    profile = ""
    self.issuer = issuer
    kind = .registration
  }
}
