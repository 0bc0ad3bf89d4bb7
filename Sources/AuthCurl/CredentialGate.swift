import AuthCore
import Dispatch
import HTTPTypes
import Synchronization

/// Fetches a transfer's credential while the connection is being opened, and holds the request back until it is
/// available.
final class CredentialGate: Sendable {
  // Plain members: an enum with several payloads has bits without a value, which valgrind reports when it is compared.
  private struct State {
    var isKnown = false
    var fields: [HTTPField] = []
    var failure: (any Error)?

    mutating func settle(_ fields: [HTTPField], failure: (any Error)?) {
      guard !isKnown else { return }
      isKnown = true
      self.fields = fields
      self.failure = failure
    }
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Starts to fetch the credential; without a source, there is nothing to wait for.
  init(_ source: (@Sendable () async throws -> [HTTPField])?) {
    guard let source else {
      state.withLock { $0.settle([], failure: nil) }
      return
    }
    let running = Task(executorPreference: InheritedExecutor.current) { [self] in
      do {
        let fields = try await source()
        state.withLock { $0.settle(fields, failure: nil) }
      } catch {
        state.withLock { $0.settle([], failure: error) }
      }
      arrival.signal()
    }
    task.withLock { $0 = running }
  }

  /// Creates an open gate: the credential is already known.
  init(holding fields: [HTTPField]) {
    state.withLock { $0.settle(fields, failure: nil) }
  }

  /// Stops waiting, now and later, and cancels the source; a credential that is already known stays.
  func cancel() {
    state.withLock { $0.settle([], failure: CancellationError()) }
    task.withLock { $0 }?.cancel()
    arrival.signal()
  }

  /// Blocks the thread until the source has finished, which has its own timeouts.
  func wait() {
    while !state.withLock({ $0.isKnown }) { arrival.wait() }
  }

  /// Returns the fields from the source; empty until it has finished.
  ///
  /// - Throws: the source's error.
  func fields() throws -> [HTTPField] {
    if let failure = state.withLock({ $0.failure }) { throw failure }
    return state.withLock { $0.fields }
  }
}
