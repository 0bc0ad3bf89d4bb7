import AuthCore
import SystemPackage
import Testing

@testable import AuthctlCLI

@Suite struct FormWriterTests {
  /// The body of parts, with the boundaries `b1`, `b2` and so on.
  private func written(_ parts: [FormPart], disposition: String = "form-data") -> String {
    var count = 0
    var writer = FormWriter {
      count += 1
      return "b\(count)"
    }
    _ = writer.write(parts, disposition: disposition)
    guard case .bytes(let bytes) = writer.body else { return "no bytes" }
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  private func text(_ text: String, _ name: String? = "a") -> FormPart {
    FormPart(name: name, content: .body(.bytes(Array(text.utf8))))
  }

  @Test("parts stand between boundaries, each with its header")
  func partBoundaries() {
    #expect(
      written([text("1"), text("2", "q\"\r\n")])
        == "--b1\nContent-Disposition: form-data; name=\"a\"\n\n1\n--b1\n"
        + "Content-Disposition: form-data; name=\"q%22%0D%0A\"\n\n2\n--b1--\n")
  }

  @Test("a header says what was given, then what is guessed, and the lines behind it")
  func partHeader() {
    var part = text("x")
    part.fileName = "f.png"
    part.guessedType = "image/png"
    part.headers = ["X-One: 1"]
    part.encoding = "8bit"
    #expect(
      part.header("form-data", boundary: nil)
        == "Content-Disposition: form-data; name=\"a\"; filename=\"f.png\"\r\nContent-Type: image/png\r\n"
        + "Content-Transfer-Encoding: 8bit\r\nX-One: 1\r\n")
    part.headers = ["content-type: a/b", "Content-Disposition: own", "content-transfer-encoding: 7bit"]
    #expect(
      part.header("form-data", boundary: nil)
        == "Content-Type: a/b\r\nContent-Disposition: own\r\ncontent-transfer-encoding: 7bit\r\n")
    part.givenType = "c/d"
    #expect(part.header("form-data", boundary: nil).hasPrefix("Content-Type: c/d\r\nContent-Disposition: own"))
  }

  @Test("parts within a part are attachments, and have a boundary of their own")
  func nestedParts() {
    var file = text("x", nil)
    file.fileName = "f"
    let group = FormPart(name: "g", guessedType: "multipart/mixed", content: .parts([file, text("y", nil)]))
    #expect(
      written([group])
        == "--b1\nContent-Disposition: form-data; name=\"g\"\nContent-Type: multipart/mixed; boundary=b2\n\n"
        + "--b2\nContent-Disposition: attachment; filename=\"f\"\n\nx\n--b2\n\ny\n--b2--\n\n--b1--\n")
  }

  @Test("an empty part within a part is an end alone")
  func emptyNestedPart() {
    let group = FormPart(name: "g", guessedType: "multipart/mixed", content: .parts([]))
    #expect(written([group]).contains("boundary=b2\n\n--b2--\n\n--b1--\n"))
  }

  @Test("files are pieces of the body, and a stream leaves its length open")
  func filesAndStreams() throws {
    let file = RequestBody.file(.standardInput, offset: 3, length: 10)
    var writer = FormWriter { "b" }
    _ = writer.write([FormPart(content: .body(file)), text("1")], disposition: "form-data")
    guard case .sequence(let pieces) = writer.body else {
      Issue.record("no sequence")
      return
    }
    #expect(pieces.count == 3)
    let around =
      "--b\r\nContent-Disposition: form-data\r\n\r\n\r\n"
      + "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n"
    #expect(writer.body.length == Int64(around.utf8.count + 10))
    writer = FormWriter { "b" }
    let stream = RequestBody.stream(Spool(.standardInput, folder: "/"))
    _ = writer.write([FormPart(content: .body(stream))], disposition: "form-data")
    #expect(writer.body.length == nil)
  }

  @Test("the boundary cannot be predicted")
  func randomBoundary() {
    let boundaries = Set((0..<100).map { _ in FormWriter.randomBoundary() })
    #expect(boundaries.count == 100)
    #expect(boundaries.allSatisfy { $0.count == 40 && $0.hasPrefix(String(repeating: "-", count: 24)) })
  }
}
