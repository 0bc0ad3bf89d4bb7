import FoundationEssentials
import HTTPTypes

/// The `Retry-After` field, which states when to send a request again (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// Returns the requested pause; nil if the response has none or its form is invalid.
  ///
  /// - Parameter now: the time of day, used only if the response has no `Date`: a date refers to the server's clock.
  static func pause(in response: TransferResponse, now: Date) -> Duration? {
    guard let text = response.fields[.retryAfter] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // A number that overflows counts as a very long time.
      return .seconds(min(Int64(text) ?? .max, 1 << 40))
    }
    guard let date = HTTPDate.parse(text) else { return nil }
    let reference = response.fields[.date].flatMap { HTTPDate.parse($0) } ?? now
    return .seconds(max(0, date.timeIntervalSince(reference)))
  }
}

/// Dates of HTTP header fields.
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7); nil for anything else, the obsolete forms
  /// included.
  static func parse(_ text: String) -> Date? {
    let parts = text.split(atAny: " ")
    guard parts.count == 6, parts[5] == "GMT", parts[1].count == 2, let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    return try? Date("\(parts[3])-\((month + 1).digits())-\(parts[1])T\(parts[4])Z", strategy: .iso8601)
  }
}
