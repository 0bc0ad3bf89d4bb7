/// The keyring that a desktop opens at login, for a machine on which no desktop does.
package protocol LoginKeyring: Sendable {
  /// Returns whether the keyring is unlocked; false also if it does not exist yet, or no keyring service runs.
  ///
  /// It starts no service.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` if there is no bus, or a service that can't be unlocked with a password.
  func isUnlocked() async throws(AuthError) -> Bool

  /// Unlocks the keyring. Starts the service if none runs, and creates the keyring if there is none.
  ///
  /// - Returns: whether the keyring was created.
  /// - Throws: ``AuthError/storage(_:_:)``, also for a wrong password; an existing keyring is then unchanged.
  func unlock(with password: Secret) async throws(AuthError) -> Bool
}

/// There is no keyring: for programs that store no secrets in one.
package struct NoLoginKeyring: LoginKeyring {
  /// Creates the value.
  package init() {}

  package func isUnlocked() async throws(AuthError) -> Bool { throw NoLoginKeyring.failure }

  package func unlock(with password: Secret) async throws(AuthError) -> Bool { throw NoLoginKeyring.failure }

  private static let failure = AuthError.storage(
    .noService, "the keyring", why: "this program has none", hint: "use another store")
}
