/// The keys of the server's signatures.
extension LabState {
  /// The key set, still the former one for as many times as the settings say after a change.
  /// - Throws: `CryptoKitError` when a key can't be written.
  func keySet() throws -> JSONValue {
    guard let formerSigner, settings.staleKeySets > 0 else { return try signer.keySet(withNames: settings.keyNames) }
    settings.staleKeySets -= 1
    return try formerSigner.keySet(withNames: settings.keyNames)
  }

  /// Signs with new keys from now on.
  func rotateKeys() {
    formerSigner = signer
    signer = TokenSigner()
  }
}
