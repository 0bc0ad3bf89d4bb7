import FoundationEssentials
import HTTPTypes

/// The field with which a server says when to come back (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// How long to wait; nil where the answer doesn't say, or not in a form that can be read.
  ///
  /// - Parameter now: the time of day, which counts only where the response has no `Date`: a date means the server's clock.
  static func pause(in answer: HTTPAnswer, now: Date) -> Duration? {
    guard let text = answer.fields[.retryAfter] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // More digits than fit are a very long time all the same.
      return .seconds(min(Int64(text) ?? .max, 1 << 40))
    }
    guard let date = HTTPDate.parse(text) else { return nil }
    let reference = answer.fields[.date].flatMap { HTTPDate.parse($0) } ?? now
    return .seconds(max(0, date.timeIntervalSince(reference)))
  }
}
