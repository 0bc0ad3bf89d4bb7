import AuthCore
import Dispatch
import HTTPTypes
import Synchronization

/// Gets a transfer's credential while the connection is being made, and keeps the request back until it is there.
final class CredentialGate: Sendable {
  /// What the credential's source has said.
  typealias Outcome = Result<HTTPField?, any Error>

  private let outcome: Mutex<Outcome?>
  private let arrival = DispatchSemaphore(value: 0)
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Asks for the credential at once; with no source there is none to wait for.
  init(_ source: (@Sendable () async throws -> HTTPField?)?) {
    outcome = Mutex(source == nil ? .success(nil) : nil)
    guard let source else { return }
    let running = Task {
      let result: Outcome
      do {
        result = .success(try await source())
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = $0 ?? result }
      arrival.signal()
    }
    task.withLock { $0 = running }
  }

  /// Stops waiting, now and later, and asks the source to end; an answer that is there already stays.
  func cancel() {
    outcome.withLock { $0 = $0 ?? .failure(CancellationError()) }
    task.withLock { $0 }?.cancel()
    arrival.signal()
  }

  /// Blocks the thread until the credential is there.
  ///
  /// - Parameter limit: how long to wait; nil for as long as the source takes, which has limits of its own.
  /// - Returns: nil when the limit ran out.
  func wait(atMost limit: Duration? = nil) -> Outcome? {
    let deadline = limit.map { DispatchTime.now() + .milliseconds($0.milliseconds) } ?? .distantFuture
    while true {
      if let known = outcome.withLock({ $0 }) { return known }
      guard arrival.wait(timeout: deadline) == .success else { return outcome.withLock { $0 } }
    }
  }
}
