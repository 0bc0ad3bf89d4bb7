package import AuthCore

extension SecretServiceStore: ObservableSecretStore {
  /// Sets the item's attribute `change`, which reports the change to all observers.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  package func announce(_ number: Int, of item: SecretItem) async throws(AuthError) {
    try await perform("\(item.phrase) can't be marked as changed") { operations throws(ServiceFailure) in
      try operations.announce(number, of: item)
    }
  }

  /// Subscribes to the signals of the Secret Service, on a connection and a thread of its own.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` if there is no bus or no service.
  package func changes() async throws(AuthError) -> AsyncStream<SecretStoreChange> {
    let (changes, change) = AsyncStream.makeStream(of: SecretStoreChange.self)
    let begun: Result<Void, ServiceFailure> = await withCheckedContinuation { continuation in
      WorkerThread.start("keyring signals") { [self] in
        do throws(ServiceFailure) {
          let connection = try opened()
          let watch = ChangeWatch(
            ItemOperations(
              application: application, connection: connection, deadline: deadline, promptDeadline: nil), change)
          defer { watch.close() }
          do throws(ServiceFailure) {
            try watch.begin()
          } catch {
            return continuation.resume(returning: .failure(error))
          }
          continuation.resume(returning: .success(()))
          watch.run()
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    do throws(ServiceFailure) { try begun.get() } catch {
      throw .storage(error.fault, error.explanation("the keyring can't be watched"))
    }
    return changes
  }
}

/// Receives the signals of the Secret Service (Secret Service API 0.2, `org.freedesktop.Secret.Collection`).
private final class ChangeWatch {
  private let operations: ItemOperations
  private let change: AsyncStream<SecretStoreChange>.Continuation
  private let waker: ServiceConnection.Waker
  private let arrived = SignalList()
  /// The items by their object paths: a removed item can't be read any more.
  private var items: [String: SecretItem] = [:]

  init(_ operations: ItemOperations, _ change: AsyncStream<SecretStoreChange>.Continuation) {
    self.operations = operations
    self.change = change
    waker = ServiceConnection.Waker(operations.connection)
    change.onTermination = { [waker] _ in waker.stop() }
  }

  /// Subscribes, and reads which items there are.
  ///
  /// - Throws: ``ServiceFailure`` if there is no service.
  func begin() throws(ServiceFailure) {
    let connection = operations.connection
    for member in ["ItemCreated", "ItemChanged", "ItemDeleted"] {
      connection.collect(
        member, of: "org.freedesktop.Secret.Collection", from: BusCall.serviceName, in: arrived)
    }
    connection.collect(
      "NameOwnerChanged", of: "org.freedesktop.DBus", from: "org.freedesktop.DBus", about: BusCall.serviceName,
      in: arrived)
    // The bus has the subscriptions when this call has returned, because it handles messages in their order.
    items = try operations.allItems()
  }

  /// Reports changes until the bus is gone or the observer stops.
  func run() {
    while !waker.isStopped {
      operations.connection.waitForSignals()
      operations.connection.extendDeadline(by: operations.deadline)
      do throws(ServiceFailure) {
        try report(arrived.take())
        guard !operations.connection.isClosed else { throw ServiceFailure(.noBus, detail: "it has ended") }
      } catch {
        // A service that ends meanwhile is reported by its own signal.
        guard error.fault == .noService, !operations.connection.isClosed else {
          change.yield(.failed(.storage(error.fault, error.explanation("the keyring can no longer be watched"))))
          return change.finish()
        }
      }
    }
  }

  func close() {
    waker.end()
    operations.connection.close()
  }

  /// Reports each item once, however many signals are about it.
  private func report(_ signals: [BusSignal]) throws(ServiceFailure) {
    var done: Set<String> = []
    for signal in signals {
      if signal.member == "NameOwnerChanged" {
        done = []
        guard case .string(let owner)? = signal.arguments.last, !owner.isEmpty else {
          change.yield(.stopped)
          continue
        }
        items = try operations.allItems()
        change.yield(.started)
        continue
      }
      guard case .objectPath(let path)? = signal.arguments.first else { continue }
      if signal.member == "ItemDeleted" {
        done.remove(path)
        if let item = items.removeValue(forKey: path) { change.yield(.item(item)) }
      } else if done.insert(path).inserted {
        // What an item is for stays the same as long as it has its path.
        if signal.member != "ItemChanged" || items[path] == nil { items[path] = try operations.item(at: path) }
        if let item = items[path] { change.yield(.item(item)) }
      }
    }
  }
}
