import AuthCore
import FoundationEssentials

/// Writes times for people: in the local time zone, and relative to the current time.
struct LocalTime: Sendable {
  /// The current time, by the server's clock if it is known.
  let now: Date
  /// Returns the offset of local time from UTC at a time, in seconds.
  let offset: @Sendable (Date) -> Int

  /// The last time that is written as a date: the end of the year 9999.
  private static let last = 253_402_300_799.0

  /// Returns a time as `2026-01-02 04:04:05 +01:00`; nil if it has no usual date.
  func text(secondsSince1970 seconds: Double) -> String? {
    guard (0...LocalTime.last - 86_400).contains(seconds) else { return nil }
    let time = Date(timeIntervalSince1970: Double(DurationText.wholeSeconds(seconds)))
    let zone = offset(time)
    let digits = time.addingTimeInterval(Double(zone)).rfc3339.dropLast().replacing("T", with: " ")  // own text
    let (hours, minutes) = (abs(zone) / 3600, abs(zone) / 60 % 60)
    return "\(digits) \(zone < 0 ? "-" : "+")\(hours.digits()):\(minutes.digits())"
  }

  /// Returns the distance of a time from now: `in 10m`, `3h ago`.
  func distance(secondsSince1970 seconds: Double) -> String {
    let ahead = seconds - now.timeIntervalSince1970
    return ahead > 0 ? "in \(DurationText.describe(ahead))" : "\(DurationText.describe(since: ahead)) ago"
  }
}
