import Testing

@testable import AuthctlCLI

@Suite("JSONFlow") struct JSONFlowTests {
  /// What is shown after each of the parts, and at the end.
  func shown(_ parts: [String]) -> [String] {
    var flow = JSONFlow(JSONLayout(colour: false))
    var shown = parts.map { String(decoding: flow.take(Array($0.utf8)), as: UTF8.self) }
    shown.append(String(decoding: flow.end(), as: UTF8.self))
    return shown
  }

  @Test("the parts in which the text arrives do not matter")
  func parts() {
    let text = #"{"a\"}":["]\\",{"b":1}],"c":"{"}"#
    let whole = shown([text]).joined()
    #expect(whole == "{\n  \"a\\\"}\": [\n    \"]\\\\\",\n    {\n      \"b\": 1\n    }\n  ],\n  \"c\": \"{\"\n}\n")
    #expect(shown(text.map(String.init)).joined() == whole)
  }

  @Test("of a stream of values each is shown when it is whole")
  func stream() {
    #expect(
      shown(["[1]", "\n[2", "]\n[3]", "4\n", " 5"]) == ["[\n  1\n]\n", "", "[\n  2\n]\n[\n  3\n]\n", "4\n", "", "5\n"])
  }

  @Test("text that breaks off is shown as it came")
  func brokenOff() {
    #expect(shown(["{\"a\":  1", ", \"b"]) == ["", "", "{\"a\":  1, \"b"])
  }

  @Test("from what is not JSON on, everything is shown as it comes")
  func invalid() {
    #expect(shown(["[1] {a :1}", "[2]", "x"]) == ["[\n  1\n]\n {a :1}", "[2]", "x", ""])
    #expect(shown(["<html> ", "x"]) == ["<html> ", "x", ""])
  }

  @Test("text that is too long to be kept is shown as it comes")
  func long() {
    let part = String(repeating: " 1,", count: 100_000)
    let result = shown(["[", part, part, part, part])
    #expect(result == ["", "", "", "", "[" + part + part + part + part, ""])
  }

  @Test("white space alone is not shown")
  func space() {
    #expect(shown([" \n", "\n"]) == ["", "", ""])
  }
}
