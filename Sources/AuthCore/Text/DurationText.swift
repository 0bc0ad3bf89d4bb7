/// Durations as people write them: `90s`, `15m`, `2h`, `30d`, or plain seconds.
package enum DurationText {
  /// Reads a duration of zero or more; nil if the text is not a duration or longer than 100 years.
  package static func parse(_ text: String) -> Duration? {
    let factor: Double? =
      switch text.last {
      case "s": 1
      case "m": 60
      case "h": 3600
      case "d": 86400
      default: nil
      }
    let digits = factor == nil ? text[...] : text.dropLast()
    guard let first = digits.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }),
      let number = Double(digits)
    else { return nil }
    let seconds = number * (factor ?? 1)
    return seconds <= 100 * 366 * 86400 ? .milliseconds(Int64((seconds * 1000).rounded())) : nil
  }

  /// Rounds the seconds until an expiry as all commands show them: down, so that never more is shown than is left.
  /// Negative after the expiry.
  package static func wholeSeconds(_ seconds: Double) -> Int64 {
    // The difference of two times has an error of less than a microsecond.
    Int64(min(max(-1e12, (seconds * 1000).rounded() / 1000), 1e12).rounded(.down))
  }

  /// Writes how long ago an expiry was, with the negative seconds that are left, rounded as by ``wholeSeconds(_:)``.
  package static func describe(since left: Double) -> String { describe(-Double(wholeSeconds(left))) }

  /// Writes whole seconds in the two largest units: `1h 5m`, `42s`.
  package static func describe(_ seconds: Double) -> String {
    let total = max(0, wholeSeconds(seconds))
    let parts = [(total / 86400, "d"), (total / 3600 % 24, "h"), (total / 60 % 60, "m"), (total % 60, "s")]
    let shown = parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }
    return shown.isEmpty ? "0s" : shown.joined(separator: " ")
  }

  /// Writes seconds that are not exact, such as a difference of clocks: rounded to the nearest of the smaller
  /// unit, so that three days less a second are `3d`.
  package static func describe(about seconds: Double) -> String {
    let unit = seconds >= 86400 ? 3600.0 : seconds >= 3600 ? 60 : 1
    return describe((seconds / unit).rounded() * unit)
  }

  /// Writes a duration in a form that ``parse(_:)`` reads exactly: `60s`, `0.5s`.
  package static func exact(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return attoseconds == 0 ? "\(seconds)s" : "\(Double(seconds) + Double(attoseconds) / 1e18)s"
  }
}
