import AuthCore
import FoundationEssentials

/// Shows what `status --watch` observes: a table that is redrawn in place, or one JSON object a line.
struct WatchOutput {
  private let context: Context
  private let isTable: Bool
  private let wake: @Sendable () -> Void
  /// How many lines of the terminal are to be replaced.
  private var drawn = 0
  private var shown = ""
  private var lastEvent = ""
  private var timer: Task<Void, Never>?

  /// Creates the output.
  ///
  /// - Parameter wake: called when a time in the table has changed.
  init(_ context: Context, isTable: Bool, wake: @escaping @Sendable () -> Void) {
    self.context = context
    self.isTable = isTable
    self.wake = wake
  }

  /// Shows the profiles at the start.
  ///
  /// - Throws: the error of the output.
  mutating func begin(_ profiles: [WatchedProfile]) throws {
    guard !isTable else { return try redraw(profiles) }
    for profile in profiles { try write(WatchEvent(.state, failure: profile.error), of: profile) }
  }

  /// Shows an event of a profile: as a line, or below the table when that is drawn again.
  ///
  /// - Throws: the error of the output.
  mutating func show(_ event: WatchEvent, of profile: WatchedProfile) throws {
    guard isTable else { return try write(event, of: profile) }
    let now = context.now()
    let time = LocalTime(now: now, offset: context.utcOffset).text(secondsSince1970: now.timeIntervalSince1970) ?? ""
    lastEvent = event.text(profile: profile.name, state: profile.state, at: time)
  }

  /// Draws the table again, if there is one and something in it has changed.
  ///
  /// - Throws: the error of the output.
  mutating func redraw(_ profiles: [WatchedProfile]) throws {
    guard isTable else { return }
    let columns = max(1, context.console.columns)
    let table = StatusTable(
      rows: profiles.map(\.row), width: columns, colour: context.verbosity.colour.output,
      hasUnicode: context.hasUnicode
    ).text
    let text = context.program.named(hint: table) + (lastEvent.isEmpty ? "" : lastEvent + "\n")
    if text != shown || drawn == 0 {
      // Up to the first line, and clear the screen from there (ECMA-48, sections 8.3.22 and 8.3.39).
      try context.console.write((drawn > 0 ? "\u{1B}[\(drawn)A" : "") + "\r\u{1B}[J" + text)
      shown = text
      drawn = WatchOutput.lines(of: text, columns: columns)
    }
    wakeAtNextChange(of: profiles)
  }

  /// Keeps the text that is on the terminal: the next table is drawn below it.
  mutating func interrupt() { drawn = 0 }

  /// Stops the timer.
  func stop() { timer?.cancel() }

  private func write(_ event: WatchEvent, of profile: WatchedProfile) throws {
    try context.console.write(try event.json(of: profile, context).text() + "\n")
  }

  /// Sleeps until the text of a remaining time changes; for ever if none is shown.
  private mutating func wakeAtNextChange(of profiles: [WatchedProfile]) {
    timer?.cancel()
    let times = profiles.flatMap(\.remainingTimes).filter { $0 > 0 }
    guard let pause = times.map(WatchOutput.untilNextChange).min() else { return }
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
    text.split(atAny: "\n").reduce(0) { sum, line in
      // A colour begins with ESC [ and ends with m (ECMA-48, section 8.3.117).
      let length = line.replacing(/\u{1B}\[[0-9;]*m/, with: "").count  // own text
      return sum + max(1, (length + columns - 1) / columns)
    }
  }
}
