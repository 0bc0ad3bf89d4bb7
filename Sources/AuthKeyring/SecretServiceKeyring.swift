package import AuthCore

/// The default collection of the Secret Service on the user's bus, which a password unlocks.
///
/// gnome-keyring, and other services with its interface for this, accept a password; the rest do not.
package struct SecretServiceKeyring: LoginKeyring {
  private let environment: [String: String]
  private let bus: SessionBus
  private let limits: Limits

  /// How long it takes at most: together less than 35 seconds.
  struct Limits: Sendable {
    /// The time to find out if it is unlocked.
    var look = Duration.seconds(10)
    /// The time for the bus to start a service.
    var activation = Duration.seconds(7)
    /// The time to unlock it, after the bus may have started a service.
    var unlock = Duration.seconds(15)
  }

  /// Creates the keyring; does not connect yet.
  ///
  /// - Parameter environment: the environment of the process; a service that is started inherits it.
  package init(environment: [String: String]) {
    self.init(environment: environment, limits: Limits())
  }

  init(environment: [String: String], limits: Limits) {
    self.environment = environment
    self.limits = limits
    bus = SessionBus(environment: environment)
  }

  package func isUnlocked() async throws(AuthError) -> Bool {
    try await perform("the keyring can't be read", within: limits.look) { connection, _ throws(ServiceFailure) in
      let collection = DefaultCollection(connection)
      guard try collection.service() != nil else { return false }
      if let path = try collection.find(), try !collection.isLocked(path) { return true }
      try collection.proveUnlockable()
      return false
    }
  }

  package func unlock(with password: Secret) async throws(AuthError) -> Bool {
    let (environment, limits) = (environment, limits)
    return try await perform(
      "the keyring can't be unlocked", within: limits.activation + limits.unlock
    ) { connection, address throws(ServiceFailure) in
      let collection = DefaultCollection(connection)
      if try collection.service() == nil {
        try ServiceStart(connection, at: address, environment: environment).run(
          activation: limits.activation, appearance: limits.unlock / 2)
      }
      return try collection.open(with: password, folder: KeyringFolder(environment: environment))
    }
  }

  private func perform<Value: Sendable>(
    _ what: String, within time: Duration,
    _ body: @escaping @Sendable (ServiceConnection, _ address: String) throws(ServiceFailure) -> Value
  ) async throws(AuthError) -> Value {
    let bus = bus
    // GLib delivers responses to the thread that sent the request.
    let outcome = await WorkerThread.outcome("login keyring") { () throws(ServiceFailure) in
      guard let address = bus.address else { throw ServiceFailure(.noBus) }
      let connection = try ServiceConnection.open(at: address, within: time)
      defer { connection.close() }
      return try body(connection, address)
    }
    do throws(ServiceFailure) { return try outcome.get() } catch {
      throw .storage(error.fault, error.explanation(what))
    }
  }
}
