import Testing

@testable import AuthctlCLI

@Suite("JSONLayout") struct JSONLayoutTests {
  func laidOut(_ text: String, colour: Bool = false) -> String? {
    JSONLayout(colour: colour).text(of: Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("only the white space between the tokens changes")
  func layout() {
    let text = #"{"b" : [1, 2.50e+3,-0.0 , {}, [ ]],"a":123456789012345678901234567890,"b":{"é\u00e9\/":null}}"#
    let lines = #"""
      {
        "b": [
          1,
          2.50e+3,
          -0.0,
          {},
          []
        ],
        "a": 123456789012345678901234567890,
        "b": {
          "é\u00e9\/": null
        }
      }

      """#
    #expect(laidOut(text) == lines)
  }

  @Test("a single value", arguments: ["1", "\"x\"", "true", "false", "null", "[]", "{}", "-1.5E-7", "0"])
  func single(text: String) {
    #expect(laidOut(" \r\n\t\(text)\n") == text + "\n")
  }

  @Test("an empty text stays empty", arguments: ["", " \n"])
  func empty(text: String) {
    #expect(laidOut(text) == "")
  }

  @Test("keys, strings and null have colours of their own")
  func colours() {
    #expect(
      laidOut(#"{"k":["s",1,true,null]}"#, colour: true)
        == "{\n  \u{1B}[1;34m\"k\"\u{1B}[0m: [\n    \u{1B}[32m\"s\"\u{1B}[0m,\n    1,\n    true,\n    "
        + "\u{1B}[90mnull\u{1B}[0m\n  ]\n}\n")
  }

  @Test(
    "text that is not JSON is not laid out",
    arguments: [
      "[1,]", "{\"a\":1,}", "[1 2]", "{\"a\"}", "{a:1}", "{\"a\":}", "{1:2}", "[", "{\"a\":1", "\"x", "01", "1.", ".5",
      "+1", "-", "1e", "NaN", "nul", "True", "1 2", "]", "[}", "{]", "'x'", "\"\\x\"", "\"\\u12g4\"", "\"\\u12\"",
      "\"\u{1}\"", "\"\n\"", "\u{FEFF}[]", "[1]x", ",",
    ])
  func invalid(text: String) {
    #expect(laidOut(text) == nil)
  }

  @Test("bytes that are not UTF-8 are not laid out")
  func notUTF8() {
    #expect(JSONLayout(colour: false).text(of: [0x22, 0x9B, 0x22]) == nil)
  }

  @Test("text that is nested deeper than a hundred times is not laid out")
  func deep() {
    let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    #expect(laidOut(nested(100)) != nil)
    #expect(laidOut(nested(101)) == nil)
    #expect(laidOut(nested(100_000)) == nil)
  }

  @Test("no string drives the terminal: its controls are written as escapes")
  func harmless() {
    #expect(laidOut("\"a\u{7F}b\u{9B}31m\u{80}\u{202E}\u{2066}\"") == #""a\u007fb\u009b31m\u0080\u202e\u2066""# + "\n")
    // What only begins with the same byte stays.
    #expect(laidOut("\"é£–€👍🏽\"") == "\"é£–€👍🏽\"\n")
  }
}
