import AuthCore

/// The progress of a transfer in numbers, in curl's columns.
struct ProgressTable: Sendable {
  /// The heading above the numbers.
  static let heading = """
      % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                     Dload  Upload   Total   Spent    Left  Speed

    """

  /// The width of a line, in columns.
  static let width = 79

  // The samples of the last seconds, for the current speed.
  private var past: [(time: Double, bytes: Int64)] = []

  /// Creates a table without lines.
  init() {}

  /// Returns the line for the current progress; called once a second.
  ///
  /// - Parameter elapsed: the time since the start, in seconds.
  mutating func line(_ progress: TransferProgress, elapsed: Double) -> String {
    let done = progress.received + progress.sent
    past = past.suffix(5) + [(elapsed, done)]
    let speeds = (
      down: ProgressTable.speed(progress.received, elapsed), up: ProgressTable.speed(progress.sent, elapsed)
    )
    let expected = (progress.toReceive ?? progress.received) + (progress.toSend ?? progress.sent)
    let estimates = [(progress.toReceive, speeds.down), (progress.toSend, speeds.up)]
      .map { size, speed in speed > 0 ? (size ?? 0) / speed : 0 }
    let total = estimates.max() ?? 0
    let columns = [
      ProgressTable.percent(done, of: expected) + " " + ProgressTable.size(expected),
      " " + ProgressTable.percent(progress.received, of: progress.toReceive ?? 0) + " "
        + ProgressTable.size(progress.received),
      " " + ProgressTable.percent(progress.sent, of: progress.toSend ?? 0) + " " + ProgressTable.size(progress.sent),
      " " + ProgressTable.size(speeds.down), " " + ProgressTable.size(speeds.up), ProgressTable.time(total),
      ProgressTable.time(Int64(elapsed)), ProgressTable.time(total > 0 ? total - Int64(elapsed) : 0),
      ProgressTable.size(currentSpeed),
    ]
    return columns.joined(separator: " ")
  }

  private var currentSpeed: Int64 {
    guard let first = past.first, let last = past.last else { return 0 }
    // In the first second, the current speed is the average.
    return past.count > 1
      ? ProgressTable.speed(last.bytes - first.bytes, last.time - first.time)
      : ProgressTable.speed(last.bytes, last.time)
  }

  private static func speed(_ bytes: Int64, _ seconds: Double) -> Int64 {
    Int64(clamping: Int(Double(bytes) / max(seconds, 0.001)))
  }

  private static func percent(_ part: Int64, of whole: Int64) -> String {
    padded(whole > 0 ? Int64(Double(part) * 100 / Double(whole)) : 0, 3)
  }

  /// Returns a number of bytes in five columns: `99999`, `9999k`, `99.9M`, `9999M`, `99.9G`, …
  static func size(_ bytes: Int64) -> String {
    guard bytes >= 100_000 else { return padded(bytes, 5) }
    var (unit, letters) = (Int64(1024), "kMGTP"[...])
    while letters.count > 1, bytes >= unit * 10_000 {
      unit *= 1024
      letters.removeFirst()
    }
    let letter = String(letters.prefix(1))
    guard letter == "M" || letter == "G", bytes < unit * 100 else { return padded(bytes / unit, 4) + letter }
    return padded(bytes / unit, 2) + ".\(bytes % unit * 10 / unit)" + letter
  }

  /// Returns seconds in eight columns.
  static func time(_ seconds: Int64) -> String {
    guard seconds > 0 else { return "--:--:--" }
    let (days, hours) = (seconds / 86400, seconds / 3600)
    if hours <= 99 { return "\(padded(hours, 2)):\(Int(seconds / 60 % 60).digits()):\(Int(seconds % 60).digits())" }
    return days <= 999 ? "\(padded(days, 3))d \(Int(hours % 24).digits())h" : padded(days, 7) + "d"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
