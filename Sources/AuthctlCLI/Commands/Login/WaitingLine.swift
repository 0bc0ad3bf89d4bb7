import AuthCore

/// The line that shows the time left while a login waits for the user, redrawn on a terminal only.
struct WaitingLine: Sendable {
  /// An action that the line offers: it is taken when the user presses Enter, once.
  typealias Offer = @Sendable () -> Void

  private let context: Context
  private let time: Duration
  private let texts: @Sendable (_ left: String, _ isOffered: Bool) -> [String]
  private let offer: Offer?

  /// Creates the line.
  ///
  /// - Parameters:
  ///   - time: the time until the wait ends.
  ///   - offer: the action for Enter; ignored if the user cannot press it.
  ///   - texts: returns the line for the time left, from the longest form to the shortest.
  init(
    _ context: Context, _ time: Duration, offer: Offer? = nil,
    texts: @escaping @Sendable (_ left: String, _ isOffered: Bool) -> [String]
  ) {
    self.context = context
    self.time = time
    self.offer = context.verbosity.nonInteractive ? nil : offer
    self.texts = texts
  }

  /// Shows the line while `body` runs, if there is a terminal that can redraw it.
  func during<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    guard context.redrawsLines else { return try await body() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await draw() }
      // The group waits for the line to be removed, so that nothing else is written before.
      defer { group.cancelAll() }
      return try await body()
    }
  }

  private func draw() async {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: time)
    var (offer, shown) = (offer, "")
    defer { context.console.showStatus(nil) }
    while !Task.isCancelled {
      let seconds = max(0, Int((clock.now.duration(to: end) / .seconds(1)).rounded(.up)))
      let line = fitting(texts(WaitingLine.clockText(seconds), offer != nil))
      if line != shown { context.console.showStatus(line) }
      shown = line
      if let action = offer, context.console.takeEnter() {
        offer = nil
        action()
        continue
      }
      let next = seconds > 0 ? end.advanced(by: .seconds(1 - seconds)) : clock.now.advanced(by: .seconds(1))
      let look = offer == nil ? next : min(next, clock.now.advanced(by: .milliseconds(100)))
      // A cancelled wait ends the loop.
      try? await clock.sleep(until: look, tolerance: .milliseconds(20))
    }
  }

  /// Returns the first text that leaves the last column free, where some terminals would begin another line.
  private func fitting(_ texts: [String]) -> String {
    let room = context.console.columns - 1
    return texts.first { $0.count <= room } ?? String((texts.last ?? "").prefix(room))
  }

  /// Writes seconds as a clock shows them: `0:09`, `4:52`, `1:04:52`.
  static func clockText(_ seconds: Int) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return (hours > 0 ? "\(hours):\(minutes.digits())" : "\(minutes)") + ":" + (seconds % 60).digits()
  }
}

extension Context {
  /// Whether messages go to a terminal that can redraw a line, and the user wants more than errors.
  var redrawsLines: Bool {
    guard let terminal = variable("TERM"), terminal != "dumb" else { return false }
    return console.terminals.error && !verbosity.quiet && !verbosity.errorsAsJSON
  }

  /// Starts the browser with a page. Reports a browser that can't be started, with the URL unless it is shown already.
  ///
  /// - Parameter failed: called after the report.
  func openPage(_ url: String, isShown: Bool, failed: @escaping @Sendable () -> Void = {}) {
    // Not awaited: the command may run until the browser is closed.
    Task.detached {
      guard await !browser.open(url) else { return }
      console.note("authctl: no browser could be started; open the page yourself" + (isShown ? "" : ":"))
      if !isShown { notePage(url) }
      failed()
    }
  }

  /// Prints the URL of a page to open, as a link if the terminal supports it.
  ///
  /// - Parameter isDim: whether it is hardly needed, because a browser has been started with it.
  func notePage(_ url: String, isDim: Bool = false) {
    let isColoured = console.terminals.error && verbosity.colour.error && !verbosity.errorsAsJSON
    let link = isColoured && Hyperlink.isSupported(in: environment) ? Hyperlink.text(url) : nil
    guard isColoured, isDim || link != nil else { return console.note("  \(url)") }
    console.draw("  " + (link ?? Escaped.line(url)).tinted("2", if: isDim) + "\n")
  }
}
