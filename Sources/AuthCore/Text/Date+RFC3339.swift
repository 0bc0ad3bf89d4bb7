import FoundationEssentials

/// Dates in the form of RFC 3339, in UTC: `2026-01-31T23:59:59Z`.
///
/// Foundation, which reads and writes the unusual ones, loads a time zone first, which takes half a millisecond.
extension Date {
  /// Reads a date; nil for any other text.
  init?(rfc3339 text: String) {
    if let seconds = Date.seconds(ofPlain: text) {
      self.init(timeIntervalSince1970: Double(seconds))
    } else {
      guard let date = try? Date(text, strategy: .iso8601) else { return nil }
      self = date
    }
  }

  /// Returns the seconds since 1970 of a date like `2026-01-31T23:59:59Z`, the only form that is written; nil for any
  /// other text.
  private static func seconds(ofPlain text: String) -> Int? {
    let digits = Array(text.utf8)
    let form = "0000-00-00T00:00:00Z".utf8
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard digits.count == form.count,
      zip(digits, form).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 })
    else { return nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    // Left to the calendar: a leap day, and the years of another calendar.
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard year >= 1970, lengths.indices.contains(month - 1), (1...lengths[month - 1]).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let days = years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1
    return ((days - daysTo1970) * 24 + hour) * 3600 + minute * 60 + second
  }

  /// The date to the second.
  package var rfc3339: String { plain(milliseconds: nil) ?? formatted(.iso8601) }

  /// The date to the millisecond.
  package var rfc3339WithMilliseconds: String {
    let seconds = timeIntervalSince1970
    return plain(milliseconds: Int((seconds - seconds.rounded(.down)) * 1000))
      ?? formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  private func plain(milliseconds: Int?) -> String? {
    let seconds = timeIntervalSince1970
    guard seconds >= 0, seconds < Date.end else { return nil }
    let whole = Int(seconds)
    let (days, rest) = (whole / 86_400 + Date.daysTo1970, whole % 86_400)
    let (eras, day) = days.quotientAndRemainder(dividingBy: Date.daysPerEra)
    let years = (day - day / 1460 + day / 36_524 - day / (Date.daysPerEra - 1)) / 365
    let dayOfYear = day - (365 * years + years / 4 - years / 100)
    let months = (5 * dayOfYear + 2) / 153
    let isNextYear = months > 9
    let date = [
      (eras * 400 + years + (isNextYear ? 1 : 0)).digits(4), (isNextYear ? months - 9 : months + 3).digits(),
      (dayOfYear - (153 * months + 2) / 5 + 1).digits(),
    ]
    let time = [(rest / 3600).digits(), (rest / 60 % 60).digits(), (rest % 60).digits()]
    let fraction = milliseconds.map { "." + $0.digits(3) } ?? ""
    return date.joined(separator: "-") + "T" + time.joined(separator: ":") + fraction + "Z"
  }

  /// The days from the first of March of the year 0 of the Gregorian calendar to 1970: with years that begin in March,
  /// leap days are at the end of a year.
  private static let daysTo1970 = 719_468

  /// The days of 400 years.
  private static let daysPerEra = 146_097

  /// The seconds from 1970 to the end of the year 9999.
  private static let end = 253_402_300_800.0
}

extension Int {
  /// Returns a number that is not negative in decimal, with leading zeros up to a width: `07`.
  package func digits(_ width: Int = 2) -> String {
    let text = String(self)
    return text.utf8.count < width ? String(repeating: "0", count: width - text.utf8.count) + text : text
  }
}
