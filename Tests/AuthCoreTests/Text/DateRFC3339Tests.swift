import Foundation
import Testing

@testable import AuthCore

@Suite("Dates in the form of RFC 3339") struct DateRFC3339Tests {
  @Test("every day of 400 years is written and read as by Foundation")
  func days() throws {
    var second = 0.0
    for day in stride(from: 0.0, to: 146_097, by: 1) {
      // Another time on each day, and each of them.
      second = (second + 26_641).truncatingRemainder(dividingBy: 86_400)
      let date = Date(timeIntervalSince1970: day * 86_400 + second)
      let text = date.rfc3339
      if text != date.formatted(.iso8601) || Date(rfc3339: text) != date {
        Issue.record("\(date.timeIntervalSince1970): \(text)")
      }
    }
  }

  @Test(
    "milliseconds and unusual dates are written as by Foundation",
    arguments: [
      0, 0.5, 0.9994, 0.9996, 1_767_323_045.123, 1_767_323_045.999_9, 253_402_300_799, 253_402_300_799.9,
      253_402_300_800, 300_000_000_000, -0.25, -1, -86_401.5, -62_135_596_800,
    ])
  func milliseconds(seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(date.rfc3339 == date.formatted(.iso8601))
    #expect(date.rfc3339WithMilliseconds == date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }

  @Test("any time is written with the milliseconds that Foundation writes")
  func fractions() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let date = Date(timeIntervalSince1970: Double.random(in: 0..<4e9, using: &generator))
      #expect(date.rfc3339WithMilliseconds == date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
  }
}
