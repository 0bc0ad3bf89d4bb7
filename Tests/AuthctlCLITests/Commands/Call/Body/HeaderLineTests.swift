import AuthCore
import HTTPTypes
import Testing

@testable import AuthctlCLI

@Suite struct HeaderLineTests {
  @Test(
    "a field keeps the way in which it is written",
    arguments: [
      ("X-One: 1", "1"), ("X-One:1", "1"), ("X-One: \t two words  ", "two words"), ("X-One;", ""), ("X-One: ü", "ü"),
      ("X-One: a:b;c", "a:b;c"),
    ])
  func spelling(line: String, value: String) throws {
    let name = try #require(HTTPField.Name("X-One"))
    #expect(
      try HeaderLine(Array(line.utf8)) == .field(HTTPField(name: name, value: value), line: Array(line.utf8)))
  }

  @Test("a name alone withholds the field", arguments: ["Accept:", "Accept:   ", "accept:"])
  func nameAlone(line: String) throws {
    #expect(try HeaderLine(Array(line.utf8)) == .withheld(.accept))
  }

  @Test(
    "a line that is not a field is refused without its value",
    arguments: [
      ("no header line topsecret", "-H no header line topsecret", "not a header line"),
      (": x", "-H ", "not a header line"),
      ("X-Ü: topsecret", "-H X-Ü", "not a header line"),
      ("X-One;topsecret", "-H X-One", "a ; after the name means an empty header"),
      ("X-One: a\u{1}topsecret", "-H X-One", "its value contains a control character"),
      ("X-One: a\r\nX-Two: b", "-H X-One", "its value contains a control character"),
    ])
  func invalidLine(line: String, what: String, why: String) throws {
    #expect(
      throws: AuthError.usage(.init(what, why: why, hint: "use -H 'Name: value'"))
    ) {
      try HeaderLine(Array(line.utf8))
    }
  }

  @Test("bytes that are not UTF-8 stay what they are")
  func otherBytes() throws {
    let line = Array("X-One: ".utf8) + [0xFC]
    guard case .field(_, let kept) = try HeaderLine(line) else {
      Issue.record("no field")
      return
    }
    #expect(kept == line)
  }

  @Test("the lines of a file end in line feeds, carriage returns or both")
  func lineEnds() {
    #expect(
      HeaderLine.lines(of: Array("A: 1\r\n\r\nB: 2\rC: 3\n".utf8)) == ["A: 1", "B: 2", "C: 3"].map { Array($0.utf8) })
  }
}
