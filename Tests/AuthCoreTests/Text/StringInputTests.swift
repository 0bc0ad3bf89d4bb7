import Testing

@testable import AuthCore

@Suite("String+Input")
struct StringInputTests {
  @Test(
    "visible ASCII has neither a space nor a control character, and nothing beyond ASCII",
    arguments: [("!az~", true), ("", true), ("a b", false), ("a\n", false), ("a\u{7F}", false), ("\u{E9}", false)])
  func visible(text: String, isVisible: Bool) {
    #expect(text.isVisibleASCII == isVisible)
  }

  @Test(
    "one line end is dropped, however it is written, and nothing else",
    arguments: [("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("a", "a"), ("a\r", "a\r"), ("\n", ""), ("", "")])
  func lineEnd(text: String, expected: String) {
    #expect(text.droppingLineEnd == expected)
  }
}
