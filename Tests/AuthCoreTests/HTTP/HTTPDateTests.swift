import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("HTTPDate")
struct HTTPDateTests {
  @Test("the form of RFC 9110, section 5.6.7 is read")
  func preferred() {
    #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == Date(timeIntervalSince1970: 784_111_777))
    #expect(HTTPDate.parse("Fri, 02 Jan 2026 03:04:05 GMT") == .sample)
  }

  @Test(
    "anything else is not a date",
    arguments: [
      "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 CET", "", "0",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
      "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    ])
  func other(text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }
}
