import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import SystemPackage
import TestSupport
import Testing

/// Gets what a server says that responses every request on each connection with the same bytes.
func response(
  _ text: String, method: HTTPRequest.Method = .get, change: (inout Transfer) throws -> Void = { _ in }
) async throws -> TransferResponse {
  let server = try ScriptedServer { peer in
    _ = try peer.head()
    try peer.send(text)
  }
  var transfer = Transfer(method: method, url: try WebURL(server.base + "/"))
  try change(&transfer)
  return try await CurlTransport(environment: [:]).send(transfer)
}

/// The same with the reason why no response came.
func failure(_ text: String, change: (inout Transfer) throws -> Void = { _ in }) async throws -> TransportError? {
  do {
    _ = try await response(text, change: change)
    return nil
  } catch let error as TransportError {
    return error
  }
}

@Suite struct ReceivingTests {
  @Test("the header keeps order, repeated fields and spelling, and raw also what is malformed")
  func headerFields() async throws {
    let text = "HTTP/1.1 200 Fine\nX-b: 1\nset-cookie: a\nX-A:2\nno\u{1}pe: x\nSet-Cookie: b\nContent-Length: 2\n\nok"
    let response = try await response(text)
    #expect(response.status == 200)
    #expect(response.fields.map(\.name.rawName) == ["X-b", "set-cookie", "X-A", "Set-Cookie", "Content-Length"])
    #expect(response.fields.map(\.value) == ["1", "a", "2", "b", "2"])
    #expect(
      String(decoding: response.rawHeader, as: UTF8.self)
        == text.dropLast(2).replacingOccurrences(of: "\n", with: "\r\n"))
    #expect(response.body == Array("ok".utf8))
    #expect(response.bodyCount == 2)
  }

  @Test("a folded field is one field (RFC 9112, section 5.2)")
  func foldedField() async throws {
    let response = try await response("HTTP/1.1 200 OK\nX-A: one\n  two\nContent-Length: 0\n\n")
    #expect(response.fields.first?.value == "one two")
  }

  @Test("a value that is not ASCII is kept")
  func valueNotASCII() async throws {
    let response = try await response("HTTP/1.1 200 OK\nX-A: \tä ö \nContent-Length: 0\n\n")
    #expect(response.fields.map(\.value) == ["ä ö", "0"])
  }

  @Test("interim responses are passed over (RFC 9110, section 15.2)")
  func interimResponses() async throws {
    let response = try await response(
      "HTTP/1.1 103 Early Hints\nLink: x\n\nHTTP/1.1 100 Continue\n\nHTTP/1.1 404 No\nContent-Length: 1\n\nx")
    #expect(response.status == 404)
    #expect(String(decoding: response.rawHeader, as: UTF8.self).hasPrefix("HTTP/1.1 404 No\r\n"))
    #expect(response.fields.count == 1)
  }

  @Test("a trailer without an end, or a header line that is too long, is a broken response")
  func endlessHeader() async throws {
    let lines = String(repeating: "X-More: \(String(repeating: "x", count: 1000))\n", count: 400)
    let trailer = try await failure("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n0\n\(lines)")
    #expect(trailer == .broken(detail: "127.0.0.1: the response's trailers do not end"))
    let long = String(repeating: "x", count: 200_000)
    let header = try await failure("HTTP/1.1 200 OK\nX-Long: \(long)\nContent-Length: 0\n\n")
    #expect(header == .broken(detail: "127.0.0.1: the response has a header line that is too long"))
  }

  @Test(
    "a header or trailer field without a colon is a broken response, not a fault of the installation",
    arguments: [
      ("HTTP/1.1 200 OK\nno colon\nContent-Length: 0\n\n", "Header without colon"),
      (
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n0\nno colon\n\n",
        "the response has a malformed header or trailer field"
      ),
    ])
  func malformedField(text: String, detail: String) async throws {
    #expect(try await failure(text) == .broken(detail: "127.0.0.1: " + detail))
  }

  @Test(
    "headers of more than 300 KB in total are refused, interim ones included",
    arguments: [
      "HTTP/1.1 200 OK\n", "HTTP/1.1 103 Early Hints\nX: \(String(repeating: "x", count: 9000))\n\nHTTP/1.1 200 OK\n",
    ])
  func largeHeaders(_ start: String) async throws {
    func text(_ size: Int) -> String {
      let line = "X-More: \(String(repeating: "x", count: 988))\n"
      return start + String(repeating: line, count: size / 998) + "Content-Length: 2\n\nok"
    }
    #expect(try await response(text(290_000)).body == Array("ok".utf8))
    #expect(try await failure(text(301_000)) == .headerTooLarge(limit: 300_000))
    // More than HTTPFields can hold.
    let lines = String(repeating: "a:\n", count: 66_000)
    let tooMany = try await failure("HTTP/1.1 200 OK\n\(lines)Content-Length: 0\n\n")
    #expect(tooMany == .broken(detail: "127.0.0.1: the response's header has more than 5000 lines"))
    let long = "X-Long: \(String(repeating: "x", count: 99_000))\n"
    #expect(
      try await failure("HTTP/1.1 200 OK\n" + String(repeating: long, count: 4) + "\n")
        == .headerTooLarge(limit: 300_000))
  }

  @Test("a trailer is kept separate (RFC 9112, section 7.1.2)")
  func separateTrailer() async throws {
    let response = try await response(
      "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n0\nX-Sum: 1\nHTTP/1.1: odd\n\n")
    #expect(response.body == Array("abc".utf8))
    #expect(String(decoding: response.rawTrailer, as: UTF8.self) == "X-Sum: 1\r\nHTTP/1.1: odd\r\n")
    #expect(response.fields.count == 1)
  }

  @Test(
    "the destination is called once, even without a body",
    arguments: [
      ("GET", "HTTP/1.1 204 No Content\n\n"), ("GET", "HTTP/1.1 304 Not Modified\nContent-Length: 9\n\n"),
      ("GET", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"), ("HEAD", "HTTP/1.1 200 OK\nContent-Length: 900\n\n"),
      ("GET", "HTTP/1.0 200 OK\n\n"),
    ])
  func destination(_ method: String, _ text: String) async throws {
    let asked = Recorder<Int>()
    let response = try await response(text, method: try #require(HTTPRequest.Method(method))) {
      $0.destination = { response in
        asked.add(response.status)
        return .collect(limit: 0)
      }
    }
    #expect(asked.values == [response.status])
    #expect(response.bodyCount == 0)
  }

  @Test(
    "a response that is cut off, or is not HTTP, is broken",
    arguments: [
      "HTTP/1.1 200 OK\nContent-Length: 9\n\nshort", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nabcde\n",
      "HTTP/1.1 200 OK\nContent-Le", "", "200 OK\nHello\n\n", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nxyz\n",
    ])
  func brokenResponse(_ text: String) async throws {
    let error = try #require(try await failure(text))
    guard case .broken(let detail) = error else {
      Issue.record(error)
      return
    }
    #expect(detail.contains("127.0.0.1"))
  }

  @Test("a body above the limit is refused, one at the limit is not")
  func bodyLimit() async throws {
    let text = "HTTP/1.1 200 OK\nContent-Length: 5\n\nabcde"
    #expect(try await failure(text) { $0.destination = { _ in .collect(limit: 4) } } == .responseTooLarge(limit: 4))
    #expect(try await failure(text) { $0.destination = { _ in .collect(limit: 5) } } == nil)
  }

  @Test("a huge header is an error, not a crash")
  func hugeHeader() async throws {
    let text =
      "HTTP/1.1 200 OK\n" + String(repeating: "X: \(String(repeating: "y", count: 1000))\n", count: 2000) + "\n"
    #expect(try await failure(text) == .headerTooLarge(limit: 300_000))
  }

  @Test("an encoded body is not decoded, a redirect not followed")
  func unchangedResponse() async throws {
    let response = try await response(
      "HTTP/1.1 302 Found\nLocation: /x\nContent-Encoding: gzip\nContent-Length: 4\n\nnope")
    #expect(response.status == 302)
    #expect(response.body == Array("nope".utf8))
  }

  @Test("an unwanted body is given up after 64 KiB, and the response stands")
  func unwantedBody() async throws {
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 500 No\nContent-Length: 1000000000000\n\n")
      while true { try peer.send([UInt8](repeating: 1, count: 65536)) }
    }
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
    transfer.destination = { _ in .discard }
    let response = try await CurlTransport(environment: [:]).send(transfer)
    #expect(response.status == 500)
    #expect(response.bodyCount > 65536)
    #expect(response.body.isEmpty)
  }

  @Test("a destination that throws stops the transfer with its error")
  func throwingDestination() async throws {
    struct Refused: Error {}
    await #expect(throws: Refused.self) {
      try await response("HTTP/1.1 200 OK\nContent-Length: 1\n\nx") { $0.destination = { _ in throw Refused() } }
    }
  }

  @Test("a body is written to a file whose reader is slow, whether it blocks or not")
  func slowReader() async throws {
    let content = String(repeating: "0123456789abcdef", count: 20000)
    for isBlocking in [true, false] {
      let pipe = try FileDescriptor.pipe()
      if !isBlocking { _ = fcntl(pipe.writeEnd.rawValue, F_SETFL, O_NONBLOCK) }
      let read = Recorder<[UInt8]>()
      Thread.detachNewThread {
        read.add(Array(FileHandle(fileDescriptor: pipe.readEnd.rawValue).readDataToEndOfFile()))
      }
      let response = try await response("HTTP/1.1 200 OK\nContent-Length: \(content.utf8.count)\n\n" + content) {
        $0.destination = { _ in .write(to: pipe.writeEnd) }
      }
      try pipe.writeEnd.close()
      try await read.wait(for: 1)
      #expect(read.values == [Array(content.utf8)])
      #expect(response.bodyCount == 320000)
      #expect(response.body.isEmpty)
      try pipe.readEnd.close()
    }
  }

  @Test("a closed reader and a full disk are distinguished")
  func writeErrors() async throws {
    let text = "HTTP/1.1 200 OK\nContent-Length: 1\n\nx"
    let pipe = try FileDescriptor.pipe()
    try pipe.readEnd.close()
    #expect(try await failure(text) { $0.destination = { _ in .write(to: pipe.writeEnd) } } == .outputClosed)
    try pipe.writeEnd.close()
    let full = try FileDescriptor.open(FilePath("/dev/full"), .writeOnly)
    #expect(
      try await failure(text) { $0.destination = { _ in .write(to: full) } }
        == .localFile(detail: "cannot write: No space left on device"))
    try full.close()
  }

  @Test("each header line and the connection are shown to a trace")
  func trace() async throws {
    let lines = Recorder<WireLine>()
    _ = try await response("HTTP/1.1 200 OK\nContent-Length: 1\n\nx") { transfer in
      transfer.credential = { [HTTPField(name: .authorization, value: "Bearer t")] }
      transfer.trace = { lines.add($0) }
    }
    let sent = lines.values.compactMap { if case .sent(let text) = $0 { text } else { nil } }
    let received = lines.values.compactMap { if case .received(let text) = $0 { text } else { nil } }
    let notes = lines.values.compactMap { if case .note(let text) = $0 { text } else { nil } }
    #expect(sent.first == "GET / HTTP/1.1")
    #expect(sent.suffix(2) == ["Authorization: Bearer t", ""])
    #expect(received == ["HTTP/1.1 200 OK", "Content-Length: 1", ""])
    #expect(notes.contains { $0.hasPrefix("Connected to 127.0.0.1") })
  }
}
