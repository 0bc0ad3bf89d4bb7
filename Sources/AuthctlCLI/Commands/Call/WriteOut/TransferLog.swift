import AuthCore
import Synchronization

/// Records the transfers of one request of the command line: several after a refused token or a redirect.
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

  /// Discards the records before the request is retried after a transient failure. As in curl, only the last attempt
  /// counts.
  func restart() { state.withLock { $0 = State(start: clock.now) } }

  /// Adds a completed transfer.
  func add(_ report: TransferReport) {
    state.withLock { state in
      // For a single transfer, libcurl's own measurements are consistent.
      state.beforeLast = state.reports.isEmpty ? .zero : state.total
      state.total = state.reports.isEmpty ? report.times.total : state.start.duration(to: clock.now)
      state.reports.append(report)
    }
  }

  /// The transfers, in order.
  var reports: [TransferReport] { state.withLock { $0.reports } }

  /// The time from the start to the end of the last transfer.
  var total: Duration { state.withLock { $0.total } }

  /// The time until the last transfer began: refused requests, redirects, and a refresh.
  var beforeLast: Duration { state.withLock { $0.beforeLast } }
}
