import AuthCore

/// The line that shows which host a discovery waits for, on a terminal that can redraw it, after two seconds.
struct AskingLine: Sendable {
  private let context: Context

  init(_ context: Context) {
    self.context = context
  }

  /// Shows the line while `body` runs.
  func during<Value: Sendable, Failure: Error>(
    _ host: String, _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    guard context.redrawsLines else { return try await body() }
    let outcome: Result<Value, Failure> = await withTaskGroup(of: Void.self) { group in
      group.addTask { await draw(host) }
      // The group waits for the line to be removed, so that nothing else is written before.
      defer { group.cancelAll() }
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  private func draw(_ host: String) async {
    let clock = ContinuousClock()
    let start = clock.now
    var next = start.advanced(by: context.askingLineTime)
    var isShown = false
    defer { if isShown { context.console.showStatus(nil) } }
    while true {
      // A cancelled wait ends the loop.
      do { try await clock.sleep(until: next, tolerance: .milliseconds(20)) } catch { return }
      context.console.showStatus(AskingLine.text(host, start.duration(to: clock.now), context.console.columns))
      isShown = true
      next = next.advanced(by: .seconds(1))
    }
  }

  /// Returns the line, without the last column, where some terminals would begin another one.
  static func text(_ host: String, _ time: Duration, _ columns: Int) -> String {
    String("Asking \(Escaped.text(host)) … \(time.components.seconds) s".prefix(columns - 1))
  }
}
