import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("TransientStatus and RetryAfter")
struct TransientStatusTests {
  @Test("one list for retries of every kind", arguments: [400, 401, 408, 425, 429, 500, 501, 502, 503, 504, 505])
  func oneList(status: Int) async throws {
    let expected = [408, 429, 500, 502, 503, 504].contains(status)
    let outcome = TransferOutcome.response(.made(status))
    let pause = RetryPolicy(limit: 1).pause(
      after: outcome, of: .get, failures: 0, elapsed: .zero, now: .sample, chance: 0)
    #expect((pause != nil) == expected)
    let decision = try await TransientRetrier().decide(after: Attempt(.get("x"), outcome: outcome))
    #expect((decision != .accept) == expected)
    #expect(TransientStatus.meansUnavailable(status) == (expected || status >= 500))
  }

  @Test(
    "one reading of Retry-After, by the server's own clock (RFC 9110, section 10.2.3)",
    arguments: [
      ("5", nil, 5), ("0", nil, 0), ("-1", nil, nil), ("", nil, nil), ("soon", nil, nil),
      ("99999999999999999999", nil, 365 * 86400), ("Fri, 02 Jan 2026 03:04:15 GMT", nil, 10),
      ("Fri, 02 Jan 2026 03:04:15 GMT", "Fri, 02 Jan 2026 03:04:10 GMT", 5), ("Thu, 01 Jan 2026 00:00:00 GMT", nil, 0),
    ] as [(String, String?, Double?)])
  func retryAfter(value: String, date: String?, expected: Double?) {
    var fields: HTTPFields = [.retryAfter: value]
    fields[.date] = date
    #expect(TransferResponse(status: 503, fields: fields).retryAfter(now: .sample) == expected)
  }
}
