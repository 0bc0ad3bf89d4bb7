import AuthCore
import CAuthCurl
import Testing

@testable import AuthCurl

@Suite("CurlSession: error texts") struct ErrorTextTests {
  @Test(
    "a quotation with a password is left out, also if the password has a quotation mark",
    arguments: [
      ("Unsupported proxy syntax in 'u:p/w@h': bad", "Unsupported proxy syntax in '‹redacted›': bad"),
      ("Unsupported proxy syntax in 'u:p'w@h': bad", "Unsupported proxy syntax in '‹redacted›': bad"),
      ("Unsupported proxy syntax in 'u:p@\u{301}h': bad", "Unsupported proxy syntax in '‹redacted›': bad"),
      ("Could not resolve host: 'h'", "Could not resolve host: 'h'"), ("it isn't a@b", "it isn't a@b"),
    ])
  func passwords(text: String, shown: String) {
    #expect(CurlSession.withoutPasswords(text) == shown)
  }

  @Test(
    "a timeout before there is a connection means that the host can't be reached",
    arguments: [
      ("Connection timed out after 200 milliseconds", false), ("Resolving timed out after 200 milliseconds", false),
      ("SSL connection timeout", false), ("Operation timed out after 200 milliseconds with 0 bytes received", true),
    ])
  func timeout(detail: String, isConnected: Bool) {
    let error = CurlResult(code: CURLE_OPERATION_TIMEDOUT, detail: detail).error(host: "id.example")
    let text = "id.example: \(detail)"
    #expect(error == (isConnected ? .timedOut(detail: text) : .unreachable(detail: text)))
  }
}
