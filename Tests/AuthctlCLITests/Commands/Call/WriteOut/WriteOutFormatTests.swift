import Testing

@testable import AuthctlCLI

@Suite("WriteOutFormat") struct WriteOutFormatTests {
  @Test(
    "a format is parsed as curl does",
    arguments: [
      ("", []), ("plain", [.text("plain")]), (#"a\nb\tc\rd\\e\q\"#, [.text("a\nb\tc\rd\\\\e\\q\\")]),
      ("100%%%", [.text("100%%")]), ("%x%{", [.text("%x%{")]), ("%{http_code", [.text("%{http_code")]),
      ("%{http_code}", [.variable(.httpCode)]), ("%{HTTP_Code}", [.variable(.httpCode)]),
      ("a%{url}b%{time_total}", [.text("a"), .variable(.url), .text("b"), .variable(.totalTime)]),
      ("%{nope}%{}", [.unknown("nope"), .unknown("")]), ("%{%{url}", [.unknown("%{url")]),
      ("%header{X-One}.", [.header("X-One"), .text(".")]), ("%header{X-One", [.text("%header{X-One")]),
      ("%headerX", [.text("%headerX")]), (#"%{stderr}\n"#, [.variable(.standardError), .text("\n")]),
      ("é%{url}", [.text("é"), .variable(.url)]),
    ] as [(String, [WriteOutFormat.Piece])])
  func pieces(format: String, pieces: [WriteOutFormat.Piece]) {
    #expect(WriteOutFormat(format).pieces == pieces)
  }

  @Test("a file's line ends are not part of the format")
  func file() {
    #expect(WriteOutFormat.joined("one\r\ntwo\nthree\\n\n") == "onetwothree\\n")
  }

  @Test("values are written as curl writes them")
  func values() {
    #expect(WriteOutValue.code(0).plain == "000")
    #expect(WriteOutValue.code(404).plain == "404")
    #expect(WriteOutValue.code(0).json == "0")
    #expect(WriteOutValue.time(.microseconds(1_000_042)).plain == "1.000042")
    #expect(WriteOutValue.time(.zero).json == "0.000000")
    #expect(WriteOutValue.text(nil).plain == "")
    #expect(WriteOutValue.text(nil).json == "null")
    #expect(WriteOutValue.text("a\"\\\n\u{1}é").json == #""a\"\\\n\u0001é""#)
    #expect(WriteOutValue.number(-1).plain == "-1")
  }
}
