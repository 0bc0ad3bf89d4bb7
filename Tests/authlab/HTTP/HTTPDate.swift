/// A point in time in the form of the `Date` header (RFC 9110, section 5.6.7).
struct HTTPDate {
  private let seconds: Int

  /// Takes seconds since 1970.
  init(secondsSince1970 seconds: Double) {
    self.seconds = Int(seconds.rounded(.down))
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  var text: String {
    let days = seconds / 86400
    let time = seconds % 86400
    let (year, month, day) = Self.date(daysSince1970: days)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][days % 7]
    let name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1]
    let clock = [time / 3600, time / 60 % 60, time % 60].map(Self.twoDigits).joined(separator: ":")
    return "\(weekday), \(Self.twoDigits(day)) \(name) \(year) \(clock) GMT"
  }

  private static func date(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
    var year = 1970
    var left = daysSince1970
    while left >= (isLeap(year) ? 366 : 365) {
      left -= isLeap(year) ? 366 : 365
      year += 1
    }
    let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var month = 0
    while left >= lengths[month] {
      left -= lengths[month]
      month += 1
    }
    return (year, month + 1, left + 1)
  }

  private static func isLeap(_ year: Int) -> Bool {
    (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) || year.isMultiple(of: 400)
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
