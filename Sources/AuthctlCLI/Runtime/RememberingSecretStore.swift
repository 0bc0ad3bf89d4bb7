import AuthCore

/// Reads and writes another store's secrets, and remembers them, so that the log and the record omit them: a server may
/// repeat a token that was not sent to it.
struct RememberingSecretStore: ObservableSecretStore, ReservingSecretStore {
  let store: any SecretStore
  let redaction: Redaction

  func load(_ item: SecretItem) async throws(AuthError) -> Secret? {
    let secret = try await store.load(item)
    if let secret { remember(secret) }
    return secret
  }

  func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) {
    remember(secret)
    try await store.save(secret, as: item)
  }

  func replace(_ item: SecretItem, with secret: Secret) async throws(AuthError) -> Bool {
    remember(secret)
    return try await store.replace(item, with: secret)
  }

  func replaceReserving(_ item: SecretItem, with secret: Secret) async throws(AuthError) -> Bool {
    guard let store = store as? any ReservingSecretStore else { return try await replace(item, with: secret) }
    remember(secret)
    return try await store.replaceReserving(item, with: secret)
  }

  func proveWritable() async throws(AuthError) { try await (store as? any ReservingSecretStore)?.proveWritable() }

  func releaseReservation() { (store as? any ReservingSecretStore)?.releaseReservation() }

  var unfinished: String? { (store as? any ReservingSecretStore)?.unfinished }

  func clear(_ item: SecretItem) async throws(AuthError) { try await store.clear(item) }

  func changes() async throws(AuthError) -> AsyncStream<SecretStoreChange> {
    guard let store = store as? any ObservableSecretStore else { return AsyncStream { $0.finish() } }
    return try await store.changes()
  }

  func announce(_ number: Int, of item: SecretItem) async throws(AuthError) {
    try await (store as? any ObservableSecretStore)?.announce(number, of: item)
  }

  /// Remembers the tokens and keys in a document, or else the whole text.
  private func remember(_ secret: Secret) {
    redaction.learn(text: secret.exposed)
    if !secret.exposed.starts(withBytes: "{") { redaction.learn(value: secret.exposed) }
  }
}
