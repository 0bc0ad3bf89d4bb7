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

  /// The file in which the last write waits to be completed, as a phrase; nil if it is complete.
  ///
  /// What was written is not lost, and is read like any other content.
  var unfinished: String? { get }
}
