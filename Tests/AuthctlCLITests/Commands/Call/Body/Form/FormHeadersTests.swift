import Testing

@testable import AuthctlCLI

@Suite struct FormHeadersTests {
  @Test(
    "the lines of a file are put together, and remarks left out",
    arguments: [
      ("A: 1\nB: 2\n", ["A: 1", "B: 2"]), ("A: 1\r\n\r\nB: 2", ["A: 1", "B: 2"]),
      ("A: 1\n  more  \nB: 2", ["A: 1  more", "B: 2"]),
      ("# remark\nA: 1\n#\n", ["A: 1"]), ("", []),
    ])
  func headerLines(text: String, lines: [String]) {
    #expect(FormHeaders.lines(of: text) == lines)
  }
}
