/// A secret store that reports the changes of its items to all processes.
package protocol ObservableSecretStore: SecretStore {
  /// Subscribes to the changes of all items; a change after the return is not missed.
  ///
  /// - Returns: the changes; ending the iteration ends the subscription.
  /// - Throws: ``AuthError/storage(_:_:)`` if the store can't be reached.
  func changes() async throws(AuthError) -> AsyncStream<SecretStoreChange>

  /// Marks an item with the number of its last change, which reports it to all observers.
  ///
  /// Does nothing if there is no such item.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``; the item's secret is unaffected.
  func announce(_ number: Int, of item: SecretItem) async throws(AuthError)
}

/// A change of the items of a secret store, by any process.
package enum SecretStoreChange: Sendable, Equatable {
  /// An item was created, changed or removed.
  case item(SecretItem)
  /// The service that holds the items has ended.
  case stopped
  /// The service has started again: any item may have changed.
  case started
  /// The store can no longer be observed. It is the last value.
  case failed(AuthError)
}
