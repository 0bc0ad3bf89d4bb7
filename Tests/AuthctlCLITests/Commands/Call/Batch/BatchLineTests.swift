import HTTPTypes
import Testing

@testable import AuthctlCLI

@Suite("BatchLine") struct BatchLineTests {
  private func read(_ text: String) throws -> BatchLine {
    try #require(try BatchLine(text.utf8))
  }

  @Test(
    "an address stands for itself, without the space around it",
    arguments: ["me", " me\t", "me\r", "https://a.example/b?c={}", "a b", "ü"])
  func address(text: String) throws {
    let line = try read(text)
    #expect(line.address == text.trimmingSpace)
    #expect(line.method == nil && line.fields.isEmpty && line.body == nil && !line.isJSON)
  }

  @Test("a blank line and one that begins with # are none", arguments: ["", " \t\r", "# a remark", "  #"])
  func nothing(text: String) throws {
    #expect(try BatchLine(text.utf8) == nil)
  }

  @Test("an object says method, headers and body; white space between its parts has no meaning")
  func object() throws {
    let line = try read(
      #" { "url" : "items" , "method":"PATCH","headers":{"X-A":"1","Accept":null,"x-b":["2","3"]},"body":"ä\n"} "#)
    #expect(line.address == "items")
    #expect(line.method == .patch)
    #expect(line.fields.map(\.name.rawName) == ["X-A", "Accept", "x-b"])
    #expect(line.fields.map(\.values) == [["1"], [], ["2", "3"]])
    #expect(line.body == Array("ä\n".utf8))
    #expect(!line.isJSON)
  }

  @Test(
    "a body that is not a string is sent unchanged: order, spaces and all digits",
    arguments: [
      #"{"b": 1.10, "a": 12345678901234567890}"#, "[1, 2]", "null", "true", "-0.0", #"{"x":"} ] , : \" { "}"#, "{}",
    ])
  func json(body: String) throws {
    let line = try read(#"{"url":"a","body": \#(body) ,"method":"PUT"}"#)
    #expect(line.body.map { String(decoding: $0, as: UTF8.self) } == body)
    #expect(line.isJSON)
    #expect(line.method == .put)
  }

  @Test("bytes come as Base64")
  func base64() throws {
    let line = try read(#"{"url":"a","body_base64":"AP+A"}"#)
    #expect(line.body == [0, 255, 128])
    #expect(!line.isJSON)
  }

  @Test("escapes in names and addresses are read")
  func escapes() throws {
    #expect(try read(##"{"\u0075rl":"a\u0062\/\"#"}"##).address == ##"ab/"#"##)
  }

  @Test(
    "an invalid request is reported with the reason",
    arguments: [
      (#"{"url":"a""#, "it is no JSON object"), (#"{"url" "a"}"#, "it is no JSON object"),
      (#"{"url":"a",}"#, "it is no JSON object"), (#"{url:"a"}"#, "it is no JSON object"),
      (#"{"url":}"#, "it is no JSON object"), (#"{"url":"a"} x"#, "it goes on after its JSON object"),
      ("{}", "it has no member 'url'"), (#"{"url":7}"#, "its 'url' is no JSON string"),
      (#"{"url":"a\q"}"#, "its 'url' is no JSON string"), (#"{"url":"a" "b"}"#, "its 'url' is no JSON string"),
      (#"{"url":"a","url":"b"}"#, "it has a member twice"),
      (#"{"url":"a","methode":"GET"}"#, "it has an unknown member 'methode'; did you mean 'method'?"),
      (#"{"url":"a","zzzzzzzzzz":1}"#, "it has an unknown member 'zzzzzzzzzz'"),
      (#"{"url":"a","method":"A B"}"#, "its 'method' is not an HTTP method"),
      (#"{"url":"a","body":"1","body_base64":"MQ=="}"#, "it has both 'body' and 'body_base64'"),
      (#"{"url":"a","body_base64":"%"}"#, "its 'body_base64' is not Base64"),
      (#"{"url":"a","body":nul}"#, "its 'body' is not valid JSON: a value is missing or malformed"),
      (#"{"url":"a","body":1-2}"#, "its 'body' is not valid JSON: there is text after the value"),
      (#"{"url":"a","headers":[]}"#, "its 'headers' is no JSON object"),
      (#"{"url":"a","headers":{"A B":"1"}}"#, "its header 'A B' has a name that no header has"),
      (#"{"url":"a","headers":{"A":1}}"#, "its header 'A' is neither a string nor an array of strings nor null"),
      (#"{"url":"a","headers":{"A":"1\n2"}}"#, "its header 'A' contains a control characters value"),
    ])
  func malformed(text: String, why: String) throws {
    #expect(throws: BatchLineError(why)) { try BatchLine(text.utf8) }
  }

  @Test("bytes that are not UTF-8 are refused, in an address and in an object")
  func encoding() throws {
    #expect(throws: BatchLineError("it is not UTF-8 text")) { try BatchLine([0x61, 0xFF]) }
    let object = Array(#"{"url":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
    #expect(throws: BatchLineError("its 'url' is no JSON string")) { try BatchLine(object) }
  }

  @Test("an object that is nested without end is refused, not followed")
  func nesting() throws {
    let text = #"{"url":"a","body":"# + String(repeating: "[", count: 100_000)
    #expect(throws: BatchLineError.self) { try BatchLine(text.utf8) }
    let closed = text + String(repeating: "]", count: 100_000) + "}"
    #expect(throws: BatchLineError("its 'body' is not valid JSON: it is nested too deep")) {
      try BatchLine(closed.utf8)
    }
  }
}

extension String {
  fileprivate var trimmingSpace: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
