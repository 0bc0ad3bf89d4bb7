import Synchronization

/// Keeps secrets in memory: they go with the process.
public final class MemorySecretStore: SecretStore {
  private let items: Mutex<[SecretItem: Secret]>

  /// Begins with some items, or with none.
  public init(_ items: [SecretItem: Secret] = [:]) {
    self.items = Mutex(items)
  }

  public func load(_ item: SecretItem) async throws(AuthError) -> Secret? { items.withLock { $0[item] } }

  public func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) {
    items.withLock { $0[item] = secret }
  }

  public func clear(_ item: SecretItem) async throws(AuthError) { items.withLock { $0[item] = nil } }
}
