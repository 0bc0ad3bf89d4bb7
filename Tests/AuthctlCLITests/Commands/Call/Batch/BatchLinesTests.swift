import Testing

@testable import AuthctlCLI

@Suite("BatchLines") struct BatchLinesTests {
  private func lines(_ parts: [String], limit: Int = 100) -> [BatchLines.Line] {
    var lines = BatchLines(limit: limit)
    var taken: [BatchLines.Line] = []
    for part in parts {
      lines.append(Array(part.utf8))
      while let line = lines.next() { taken.append(line) }
    }
    if let line = lines.rest() { taken.append(line) }
    return taken
  }

  @Test(
    "lines are the same however their bytes arrive, and the last one needs no end",
    arguments: [["a\n\nbc\r\nd"], ["a", "\n\nb", "c\r", "\n", "d"], ["a\n", "\n", "bc\r\n", "d"]])
  func parts(parts: [String]) {
    #expect(lines(parts) == ["a", "", "bc\r", "d"].map { .text(Array($0.utf8)) })
  }

  @Test("no line follows the last line feed", arguments: [[], [""], ["\n"], ["a\n", "b\n"]] as [[String]])
  func end(parts: [String]) {
    var lines = BatchLines()
    for part in parts { lines.append(Array(part.utf8)) }
    while lines.next() != nil {}
    #expect(lines.rest() == nil)
  }

  @Test(
    "a line that is too long is reported as one, and the next ones are read",
    arguments: [["abc\nabcd\nef"], ["abc\nab", "cd", "\nef"], ["abc\nabcdefgh", "ijklm", "no\ne", "f"]])
  func long(parts: [String]) {
    #expect(lines(parts, limit: 3) == [.text(Array("abc".utf8)), .tooLong, .text(Array("ef".utf8))])
  }

  @Test("a line that is too long and has no end is reported, too", arguments: [["abcd"], ["ab", "cd", "ef"]])
  func longRest(parts: [String]) {
    #expect(lines(parts, limit: 3) == [.tooLong])
  }
}
