import Testing

@testable import AuthCore

@Suite("Escaped")
struct EscapedTests {
  @Test(
    "characters that could control a terminal or turn a line around are escaped",
    arguments: [
      ("plain ä€ text", "plain ä€ text"), ("a\u{1B}[31mb", "a\\u{1b}[31mb"), ("a\r\nb", "a\\u{d}\\u{a}b"),
      ("\u{202E}evil", "\\u{202e}evil"), ("\u{7F}\u{9B}", "\\u{7f}\\u{9b}"), ("a\u{2028}b", "a\\u{2028}b"),
    ])
  func escaped(text: String, expected: String) {
    #expect(Escaped.text(text) == expected)
  }

  @Test("a message is escaped once, and keeps its lines where it has several")
  func lines() {
    let text = "a\\u{1b}\u{1B}[31m\u{85}\u{7F}\nb\u{2028}\u{202E}\u{2066}é\u{200D}"
    #expect(
      Escaped.lines(text) == "a\\u{1b}\\u{1b}[31m\\u{85}\\u{7f}\nb\\u{2028}\\u{202e}\\u{2066}é\u{200D}")
    #expect(Escaped.line("a\nb\tc") == "a\\u{a}b\\u{9}c")
    #expect(Escaped.lines(Escaped.lines(text)) == Escaped.lines(text))
    #expect(Escaped.line(Escaped.text("\u{1B}")) == "\\u{1b}")
  }

  @Test("a long text is cut")
  func cut() {
    #expect(Escaped.text("abcdef", limit: 3) == "abc…")
    #expect(Escaped.text("abc", limit: 3) == "abc")
  }
}
