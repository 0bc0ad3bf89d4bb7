import Testing

@testable import Curl

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
}
