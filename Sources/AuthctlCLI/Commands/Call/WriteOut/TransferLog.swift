import AuthCore
import Synchronization

/// What has happened on the wire for one request of the command line: one transfer, or several where the token was
/// refused or a redirect was followed.
final class TransferLog: Sendable {
  private struct State {
    var start: ContinuousClock.Instant
    var reports: [TransferReport] = []
    var beforeLast = Duration.zero
    var total = Duration.zero
  }

  private let clock = ContinuousClock()
  private let state: Mutex<State>

  /// Starts the clock.
  init() { state = Mutex(State(start: clock.now)) }

  /// Forgets what has happened: the request is sent again because it had failed for a moment. As in curl, only the last
  /// one is told of.
  func beginAnew() { state.withLock { $0 = State(start: clock.now) } }

  /// Adds a transfer that has ended.
  func add(_ report: TransferReport) {
    state.withLock { state in
      // With a single one there is nothing to add up, and what libcurl has measured fits together.
      state.beforeLast = state.reports.isEmpty ? .zero : state.total
      state.total = state.reports.isEmpty ? report.times.total : state.start.duration(to: clock.now)
      state.reports.append(report)
    }
  }

  /// The transfers, in order.
  var reports: [TransferReport] { state.withLock { $0.reports } }

  /// How long it took from the start to the end of the last transfer.
  var total: Duration { state.withLock { $0.total } }

  /// How long it took until the last transfer began: that of the refused ones, of redirects, and of a renewal.
  var beforeLast: Duration { state.withLock { $0.beforeLast } }
}
