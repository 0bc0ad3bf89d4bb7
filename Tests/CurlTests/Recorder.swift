import Synchronization

/// Collects what happened, in order, from any thread, and lets a test wait for it.
final class Recorder<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  /// What happened so far.
  var values: [Value] { state.withLock { $0 } }

  /// Adds what happened.
  func add(_ value: Value) {
    state.withLock { $0.append(value) }
  }

  /// Waits until this much has happened.
  func wait(for count: Int) async throws {
    while values.count < count { try await Task.sleep(for: .milliseconds(2)) }
  }
}
