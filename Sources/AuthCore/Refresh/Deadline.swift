import Synchronization

/// The time limit for a request, including its replay and the redirects that it follows.
final class Deadline: Sendable {
  private let total: Duration?
  private let host: String
  private let now: @Sendable () -> ContinuousClock.Instant
  private let begin: ContinuousClock.Instant
  private let excepted = Mutex(Duration.zero)

  /// Starts the time limit of a transfer.
  init(_ transfer: Transfer, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
    begin = now()
    total = transfer.network.timeout
    host = transfer.url.origin.host
  }

  /// Returns the remaining time; nil if there is no limit.
  ///
  /// - Throws: ``TransportError/timedOut(detail:)`` if no time remains.
  func left() throws(TransportError) -> Duration? {
    guard let total else { return nil }
    let left = total - begin.duration(to: now()) + excepted.withLock { $0 }
    guard left > .zero else { throw .timedOut(detail: "\(host): no final response within \(total)") }
    // Rounded up to whole milliseconds, for messages.
    let (seconds, attoseconds) = left.components
    return .milliseconds(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Runs an operation whose time does not count.
  nonisolated(nonsending) func excepting<Value>(_ work: nonisolated(nonsending) () async throws(AuthError) -> Value)
    async throws(AuthError) -> Value
  {
    let start = now()
    defer {
      let took = start.duration(to: now())
      excepted.withLock { $0 += took }
    }
    return try await work()
  }
}
