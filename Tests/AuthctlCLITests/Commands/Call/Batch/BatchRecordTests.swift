import AuthCore
import HTTPTypes
import Testing

@testable import AuthctlCLI

@Suite("BatchRecord") struct BatchRecordTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func record() throws -> BatchRecord { BatchRecord(line: 7, url: try WebURL("https://api.example/a?b=c")) }

  @Test("a response is one line: its members in a fixed order, the names of headers in lower case, values as arrays")
  func response() throws {
    var fields = HTTPFields()
    for (name, value) in [("Content-Type", "text/plain"), ("Set-Cookie", "a=1"), ("X-B", ""), ("set-cookie", "b=2")] {
      fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    }
    let response = TransferResponse(status: 201, fields: fields, body: Array("é".utf8))
    #expect(
      text(try record().line(response, time: .microseconds(1_020_304))) == """
        {"line":7,"url":"https://api.example/a?b=c","status":201,"headers":{"content-type":["text/plain"],\
        "set-cookie":["a=1","b=2"],"x-b":[""]},"body":"é","time":1.020304}

        """)
  }

  @Test("records that share their headers show those of their own response")
  func sharedHeaders() throws {
    let headers = LatestHeaders()
    let url = try WebURL("https://api.example/a")
    for value in ["1", "1", "2", "1"] {
      let response = TransferResponse(
        status: 200, fields: [.eTag: value], rawHeader: Array("HTTP/1.1 200 OK\r\nETag: \(value)\r\n\r\n".utf8))
      let line = BatchRecord(line: 1, url: url, headers).line(response, time: .zero)
      #expect(text(line).contains(#""headers":{"etag":["\#(value)"]}"#))
    }
  }

  @Test("whatever a body holds, it is read back as it was")
  func escapes() throws {
    let body = (0..<128).map { UInt8($0) } + Array("\u{2028}\u{1F600}\"\\".utf8)
    let line = try record().line(TransferResponse(status: 200, body: body), time: .milliseconds(5))
    #expect(line.dropLast().allSatisfy { $0 >= 0x20 } && line.last == UInt8(ascii: "\n"))
    #expect(try JSONValue(parsing: line)["body"]?.string.map { Array($0.utf8) } == body)
    #expect(text(line).contains(#""time":0.005000}"#))
  }

  @Test("a body that is not UTF-8 comes as Base64")
  func bytes() throws {
    let line = try record().line(TransferResponse(status: 200, body: [0, 255, 128]), time: .zero)
    #expect(text(line).hasSuffix(#","headers":{},"body_base64":"AP+A","time":0.000000}"# + "\n"))
  }

  @Test("a failure says what --errors=json says; its URL is there where it is known")
  func failure() throws {
    let error = AuthError.origin(.init("calling", why: "no", hint: "add it"))
    let shown = #""error":{"code":"origin","exit":7,"hint":"add it","message":"calling: no"}}"# + "\n"
    #expect(text(try record().line(ErrorReport(error))) == #"{"line":7,"url":"https://api.example/a?b=c","# + shown)
    #expect(text(BatchRecord(line: 1, url: nil).line(ErrorReport(error))) == #"{"line":1,"# + shown)
  }
}
