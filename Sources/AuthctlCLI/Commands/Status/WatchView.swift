import AuthCore
import FoundationEssentials

/// Shows what `status --watch` observes: a table that is redrawn in place, or one JSON object a line.
struct WatchView {
  private let context: Context
  private let isTable: Bool
  private let wake: @Sendable () -> Void
  /// How many lines of the terminal are to be replaced.
  private var drawn = 0
  private var shown = ""
  private var lastEvent = ""
  private var timer: Task<Void, Never>?

  /// Creates a view.
  ///
  /// - Parameter wake: called when a time in the table has changed.
  init(_ context: Context, isTable: Bool, wake: @escaping @Sendable () -> Void) {
    self.context = context
    self.isTable = isTable
    self.wake = wake
  }

  /// Shows the sessions at the start.
  ///
  /// - Throws: the error of the output.
  mutating func begin(_ sessions: [WatchedSession]) throws {
    guard !isTable else { return try redraw(sessions) }
    for session in sessions { try write(SessionEvent(.state), of: session) }
  }

  /// Shows an event of a session.
  ///
  /// - Throws: the error of the output.
  mutating func show(_ event: SessionEvent, of session: WatchedSession, among sessions: [WatchedSession]) throws {
    guard isTable else { return try write(event, of: session) }
    let now = context.now()
    let time = LocalTime(now: now, offset: context.utcOffset).text(secondsSince1970: now.timeIntervalSince1970) ?? ""
    lastEvent = event.text(profile: session.profile.name, at: time)
    try redraw(sessions)
  }

  /// Draws the table again, unless nothing in it has changed.
  ///
  /// - Throws: the error of the output.
  mutating func redraw(_ sessions: [WatchedSession]) throws {
    let statuses = sessions.map(\.status)
    let columns = max(1, context.console.columns)
    let table = StatusTable(
      rows: statuses.map(\.row), width: columns, colour: context.verbosity.colour.output,
      hasUnicode: context.hasUnicode
    ).text
    let text = context.program.named(hint: table) + (lastEvent.isEmpty ? "" : lastEvent + "\n")
    if text != shown || drawn == 0 {
      // Up to the first line, and clear the screen from there (ECMA-48, sections 8.3.22 and 8.3.39).
      try context.console.write((drawn > 0 ? "\u{1B}[\(drawn)A" : "") + "\r\u{1B}[J" + text)
      shown = text
      drawn = WatchView.lines(of: text, columns: columns)
    }
    wakeAtNextChange(of: statuses)
  }

  /// Keeps the text that is on the terminal: the next table is drawn below it.
  mutating func interrupt() { drawn = 0 }

  /// Stops the timer.
  func stop() { timer?.cancel() }

  private func write(_ event: SessionEvent, of session: WatchedSession) throws {
    let line = try event.json(session.status, profile: session.profile.name, at: context.now()).text()
    try context.console.write(line + "\n")
  }

  /// Sleeps until the text of a remaining time changes; for ever if none is shown.
  private mutating func wakeAtNextChange(of statuses: [ProfileStatus]) {
    timer?.cancel()
    let times = statuses.flatMap(\.remainingTimes).filter { $0 > 0 }
    guard let pause = times.map(WatchView.untilNextChange).min() else { return }
    timer = Task { [wake] in
      // Cancelled by the next drawing.
      guard (try? await ContinuousClock().sleep(for: .seconds(pause))) != nil else { return }
      wake()
    }
  }

  /// Returns the seconds until the text of a remaining time changes: it has two units, the smaller one rounded down.
  static func untilNextChange(of left: Double) -> Double {
    let unit: Double = left >= 86400 ? 3600 : left >= 3600 ? 60 : 1
    return left.truncatingRemainder(dividingBy: unit) + 0.02
  }

  /// Returns how many lines a text takes on a terminal, which breaks longer lines.
  static func lines(of text: String, columns: Int) -> Int {
    text.split(separator: "\n").reduce(0) { sum, line in
      // A colour begins with ESC [ and ends with m (ECMA-48, section 8.3.117).
      let length = line.replacing(/\u{1B}\[[0-9;]*m/, with: "").count
      return sum + max(1, (length + columns - 1) / columns)
    }
  }
}
