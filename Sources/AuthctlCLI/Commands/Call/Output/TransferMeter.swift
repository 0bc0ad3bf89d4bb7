import AuthCore
import Synchronization

/// Shows the progress of a longer transfer on standard error.
final class TransferMeter: Sendable {
  /// The duration of a transfer before its progress is shown.
  private static let patience = Duration.milliseconds(500)

  private struct State {
    var table = ProgressTable()
    var bar: ProgressBar?
    var last = TransferProgress()
    var line = ""
    var shown: ContinuousClock.Instant?
  }

  private let console: any Console
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let state: Mutex<State>

  /// Creates a meter; nil with `-s` or `-q`, without a terminal, or if the terminal shows the body.
  ///
  /// - Parameters:
  ///   - path: the file that the body is written to; nil for standard output.
  ///   - isBar: whether a bar was requested.
  init?(to path: String?, isBar: Bool, _ context: Context) {
    let terminals = context.console.terminals
    guard terminals.error, context.verbosity.reportsTransfers, path != nil || !terminals.output else {
      return nil
    }
    console = context.console
    start = clock.now
    // The table needs its full width; the bar adapts to the terminal.
    let isBar = isBar || console.columns < ProgressTable.width
    state = Mutex(State(bar: isBar ? ProgressBar(columns: console.columns) : nil))
  }

  /// Records the progress of the transfer.
  func show(_ progress: TransferProgress) {
    let now = clock.now
    state.withLock { state in
      state.last = progress
      guard start.duration(to: now) >= TransferMeter.patience else { return }
      if let shown = state.shown, state.bar == nil, shown.duration(to: now) < .seconds(1) { return }
      draw(&state, now)
    }
  }

  /// Shows the final progress and ends the line, if any progress was shown.
  func finish() {
    state.withLock { state in
      guard state.shown != nil else { return }
      draw(&state, clock.now)
      console.draw("\n")
      state.shown = nil
    }
  }

  private func draw(_ state: inout State, _ now: ContinuousClock.Instant) {
    if state.shown == nil, state.bar == nil { console.draw(ProgressTable.heading) }
    state.shown = now
    let elapsed = start.duration(to: now) / .seconds(1)
    let line = state.bar?.line(state.last) ?? state.table.line(state.last, elapsed: elapsed)
    if line != state.line { console.draw("\r" + line) }
    state.line = line
  }
}
