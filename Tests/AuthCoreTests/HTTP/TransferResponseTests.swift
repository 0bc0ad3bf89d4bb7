import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("TransferResponse")
struct TransferResponseTests {
  @Test(
    "Retry-After is read in seconds or as a date (RFC 9110, section 10.2.3)",
    arguments: [
      ("120", 120), ("0", 0), ("Fri, 02 Jan 2026 03:05:05 GMT", 60), ("Fri, 02 Jan 2026 03:00:00 GMT", 0),
      ("soon", nil), ("", nil), ("-5", nil), ("1e300", nil), ("0x10", nil), ("nan", nil),
      ("99999999999999999999", 31_536_000), ("99999999999", 31_536_000),
    ] as [(String, Double?)])
  func retryAfter(text: String, expected: Double?) {
    #expect(TransferResponse(status: 503, fields: [.retryAfter: text]).retryAfter(now: .sample) == expected)
  }

  @Test("Retry-After counts from the response's own Date, whatever the local clock")
  func retryAfterByDate() {
    let fields: HTTPFields = [.retryAfter: "Sun, 04 Jan 2026 03:05:05 GMT", .date: "Sun, 04 Jan 2026 03:04:05 GMT"]
    #expect(TransferResponse(status: 503, fields: fields).retryAfter(now: .sample) == 60)
  }

  @Test("without the fields there is neither date nor pause")
  func absent() {
    #expect(TransferResponse(status: 503).retryAfter(now: .sample) == nil)
    #expect(TransferResponse(status: 503).date == nil)
    #expect(TransferResponse(status: 200, fields: [.date: "Fri, 02 Jan 2026 03:04:05 GMT"]).date == .sample)
  }
}
