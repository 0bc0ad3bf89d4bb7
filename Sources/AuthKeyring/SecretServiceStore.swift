public import AuthCore
import FoundationEssentials

/// Keeps secrets in the user's keyring: any program that provides the Secret Service API on the session bus.
///
/// There is one item per profile and kind, with the public attributes `application`, `profile` and `kind`; the item of
/// a registered client has `issuer` instead of `profile`. For authctl
/// itself, `secret-tool lookup application authctl profile NAME kind tokens` prints what is stored.
///
/// A program stores its sessions with `SessionStorage.keyring("com.example.app")`.
public struct SecretServiceStore: SecretStore {
  let application: String
  private let bus: SessionBus
  let deadline: Duration
  private let promptDeadline: Duration
  private let prompting: Bool
  private let thread = ConnectionThread()

  /// Creates a store; does not connect yet.
  ///
  /// - Parameters:
  ///   - application: the program that owns the items, their attribute `application`.
  ///   - environment: contains the address of the session bus; nil for the process's own.
  ///   - deadline: the time for one operation, including the connection but not a prompt. A service handles one request
  ///     after the other: if a thousand processes send requests at once, the last one waits for 15 seconds.
  ///   - promptDeadline: the time that the user has to respond to one prompt.
  ///   - prompting: whether the keyring may prompt the user to unlock it, or to choose a password for a new one.
  public init(
    application: String, environment: [String: String]? = nil, deadline: Duration = .seconds(30),
    promptDeadline: Duration = .seconds(120), prompting: Bool = false
  ) {
    self.init(
      application: application, bus: SessionBus(environment: environment ?? ProcessInfo.processInfo.environment),
      deadline: deadline, promptDeadline: promptDeadline, prompting: prompting)
  }

  init(
    application: String = "authctl", bus: SessionBus, deadline: Duration, promptDeadline: Duration, prompting: Bool
  ) {
    self.application = application
    self.bus = bus
    self.deadline = deadline
    self.promptDeadline = promptDeadline
    self.prompting = prompting
  }

  /// Reads an item; nil if the keyring is unlocked and has none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  public func load(_ item: SecretItem) async throws(AuthError) -> Secret? {
    try await perform("\(item.phrase) can't be read") { operations throws(ServiceFailure) in
      try operations.load(item)
    }
  }

  /// Writes an item atomically, and overwrites an existing one.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  public func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) {
    try await perform("\(item.phrase) can't be stored") { operations throws(ServiceFailure) in
      try operations.save(secret, as: item)
    }
  }

  /// Overwrites an item, only if it exists.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  public func replace(_ item: SecretItem, with secret: Secret) async throws(AuthError) -> Bool {
    try await perform("\(item.phrase) can't be stored") { operations throws(ServiceFailure) in
      try operations.replace(item, with: secret)
    }
  }

  /// Removes an item, and all copies of it.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  public func clear(_ item: SecretItem) async throws(AuthError) {
    try await perform("\(item.phrase) can't be removed") { operations throws(ServiceFailure) in
      try operations.clear(item)
    }
  }

  func perform<Value: Sendable>(
    _ what: String, _ body: @escaping @Sendable (ItemOperations) throws(ServiceFailure) -> Value
  ) async throws(AuthError) -> Value {
    let outcome: Result<Value, ServiceFailure> = await withCheckedContinuation { continuation in
      thread.perform { kept in continuation.resume(returning: withConnection(&kept, body)) }
    }
    do throws(ServiceFailure) { return try outcome.get() } catch {
      throw .storage(error.fault, error.explanation(what))
    }
  }

  /// Uses the kept connection; if it no longer works, a new one.
  private func withConnection<Value>(
    _ kept: inout ConnectionThread.Kept, _ body: (ItemOperations) throws(ServiceFailure) -> Value
  ) -> Result<Value, ServiceFailure> {
    if let failure = kept.failure {
      kept.failure = nil
      return .failure(failure)
    }
    if let connection = kept.connection {
      connection.extendDeadline(by: deadline)
      let isPrepared = connection.offer != nil
      let result = withConnection(on: connection, body)
      guard case .failure(let failure) = result else { return result }
      // The preparation has failed: a second wait of the same length would not help.
      let isFinal = isPrepared && !connection.hasSession
      connection.close()
      kept.connection = nil
      // The bus or the service may have restarted since: both then forget their clients.
      guard !isFinal, [.noBus, .noService, .refused].contains(failure.fault) else { return result }
    }
    do throws(ServiceFailure) {
      let connection = try opened()
      let result = withConnection(on: connection, body)
      if case .success = result { kept.connection = connection } else { connection.close() }
      return result
    } catch {
      return .failure(error)
    }
  }

  func opened() throws(ServiceFailure) -> ServiceConnection {
    guard let address = bus.address else { throw ServiceFailure(.noBus) }
    return try ServiceConnection.open(at: address, within: deadline)
  }

  private func withConnection<Value>(
    on connection: ServiceConnection, _ body: (ItemOperations) throws(ServiceFailure) -> Value
  ) -> Result<Value, ServiceFailure> {
    Result { () throws(ServiceFailure) in
      try body(
        ItemOperations(
          application: application, connection: connection, deadline: deadline,
          promptDeadline: prompting ? promptDeadline : nil))
    }
  }
}

// MARK: - Ahead of time

extension SecretServiceStore {
  /// Starts to connect in the background, for a program that is about to need the keyring.
  ///
  /// It loads libsecret first, on the calling thread: while other threads run, that takes twice as long. A failure is
  /// reported to the next operation.
  ///
  /// - Parameter connected: called when the connection is open, or could not be opened, before its key is negotiated.
  ///   The negotiation keeps this thread and the service busy for milliseconds, in which other threads can load
  ///   libraries. Connecting starts threads, which must wait for any thread that is loading a library.
  public func prepare(connected: @escaping @Sendable () -> Void = {}) {
    // It fails again, and is then reported, when the connection is opened.
    if bus.address != nil { try? SecretLibrary.load() }
    thread.perform { kept in
      guard kept.connection == nil else { return connected() }
      let opening = Result { () throws(ServiceFailure) in try opened() }
      connected()
      do throws(ServiceFailure) {
        let connection = try opening.get()
        do throws(ServiceFailure) {
          // The operation that follows finishes it, and sends its own calls before the service has answered.
          try connection.offerKey(connection.beginSession())
        } catch {
          connection.close()
          throw error
        }
        kept.connection = connection
      } catch {
        kept.failure = error
      }
    }
  }
}

extension SessionStorage {
  /// Tokens in the user's keyring, as an item with the application's and the session's name.
  ///
  /// All processes with the same two names share the session, and one of them at a time refreshes it: they also share a
  /// lock, a file in `$XDG_STATE_HOME`, else in `~/.local/state`, which must be the same for all of them.
  ///
  /// - Parameters:
  ///   - application: the name of the program, such as `com.example.app`.
  ///   - prompting: whether the keyring may prompt the user to unlock it.
  public static func keyring(_ application: String, prompting: Bool = false) -> SessionStorage {
    .items(of: application, in: SecretServiceStore(application: application, prompting: prompting))
  }
}
