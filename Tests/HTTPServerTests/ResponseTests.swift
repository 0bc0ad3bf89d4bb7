import Foundation
import HTTPServer
import SystemPackage
import Testing

@Suite("responses")
struct ResponseTests {
  private static let close = "Connection: close\r\n\r\n"

  /// Returns what a client gets for a request without fields of its own.
  private func response(
    to line: String, _ handler: @escaping @Sendable (ServerExchange) throws -> Void
  ) async throws -> (text: String, notes: [String]) {
    let server = try await TestServer { exchange, notes in
      do { try handler(exchange) } catch { notes.add("\(error)") }
    }
    let text = try await server.exchange(Array("\(line)\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
    await server.stop()
    return (text, server.notes.all)
  }

  @Test("a body without a length is sent in chunks to HTTP/1.1, and until the end of the connection to HTTP/1.0")
  func framing() async throws {
    let handler: @Sendable (ServerExchange) throws -> Void = { exchange in
      try exchange.begin(status: 200, fields: [("A", "b"), ("Connection", "x"), ("Transfer-Encoding", "gzip")])
      try exchange.write(Array("abc".utf8))
      try exchange.write(Array("0123456789".utf8))
      exchange.end()
    }
    #expect(
      try await response(to: "GET / HTTP/1.1", handler).text
        == "HTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        + "3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n")
    #expect(
      try await response(to: "GET / HTTP/1.0", handler).text
        == "HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\nabc0123456789")
  }

  @Test("HEAD, 204 and 304 have no body", arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
  func withoutBody(method: String, status: Int) async throws {
    let text = try await response(to: "\(method) / HTTP/1.1") { exchange in
      exchange.respond(status: status, fields: [], body: Array("abc".utf8))
    }.text
    #expect(text.hasSuffix("Connection: close\r\n\r\n"))
    #expect(text.contains("Content-Length: 3") == (status != 204))
  }

  @Test(
    "a malformed head of a response is refused",
    arguments: [
      ("A b", "c"), ("", "c"), ("A", "b\r\nC: d"), ("A", "b\u{0}"), ("Content-Length", "x"), ("Content-Length", "-1"),
    ])
  func malformedField(name: String, value: String) async throws {
    let result = try await response(to: "GET / HTTP/1.1") { exchange in
      #expect(throws: Errno.invalidArgument) { try exchange.begin(status: 200, fields: [(name, value)]) }
      exchange.respond(status: 502, fields: [], body: [])
    }
    #expect(result.text.hasPrefix("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n"))
  }

  @Test("a tunnel is never opened")
  func tunnel() async throws {
    let text = try await response(to: "CONNECT a:1 HTTP/1.1") { exchange in
      #expect(throws: Errno.invalidArgument) { try exchange.begin(status: 200, fields: []) }
      #expect(throws: Errno.invalidArgument) { try exchange.begin(status: 101, fields: []) }
      exchange.respond(status: 405, fields: [], body: [])
    }.text
    #expect(text.hasPrefix("HTTP/1.1 405"))
  }

  @Test("a body has exactly its stated length")
  func length() async throws {
    let long = try await response(to: "GET / HTTP/1.1") { exchange in
      try exchange.begin(status: 200, fields: [("Content-Length", "3")])
      try exchange.write(Array("abc".utf8))
      #expect(throws: Errno.invalidArgument) { try exchange.write([0x64]) }
      exchange.end()
    }
    #expect(long.text.hasSuffix("\r\n\r\nabc"))
    let short = try await response(to: "GET / HTTP/1.1") { exchange in
      try exchange.begin(status: 200, fields: [("Content-Length", "3")])
      exchange.end()
    }
    #expect(!short.text.hasSuffix("abc"))
  }

  @Test("a response that ends early is sent as far as it was written, and its connection ends without a reset")
  func endEarly() async throws {
    let server = try await TestServer { exchange, _ in
      do {
        try exchange.begin(status: 200, fields: [("Content-Length", "9")])
        try exchange.write(Array("abc".utf8))
        exchange.endEarly()
      } catch {
        exchange.abort()
      }
    }
    let client = try server.connect()
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    var bytes: [UInt8] = []
    while let piece = try await client.receive() { bytes += piece }
    #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\nabc"))
    await server.stop()
  }

  @Test("an aborted response does not look complete")
  func abort() async throws {
    let text = try await response(to: "GET / HTTP/1.1") { exchange in
      try exchange.begin(status: 200, fields: [])
      try exchange.write(Array("abc".utf8))
      exchange.abort()
    }.text
    #expect(!text.contains("0\r\n\r\n"))
  }

  @Test("an HTTP/1.0 client gets a reset for an aborted response")
  func abortByReset() async throws {
    let server = try await TestServer { exchange, notes in
      do { try exchange.begin(status: 200, fields: []) } catch { return }
      if await notes.wait(for: "read") { exchange.abort() }
    }
    let client = try server.connect()
    client.send("GET / HTTP/1.0\r\n\r\n")
    _ = try await client.receive(until: "\r\n\r\n")
    server.notes.add("read")
    await #expect(throws: Errno.connectionReset) { _ = try await client.receive() }
    await server.stop()
  }

  @Test("a handler that does not respond is answered for with 500")
  func noResponse() async throws {
    #expect(try await response(to: "GET / HTTP/1.1") { _ in }.text.hasPrefix("HTTP/1.1 500 "))
  }

  @Test("100 Continue is sent when the body is read, and not without that")
  func expectation() async throws {
    let server = try await TestServer { exchange, _ in
      if exchange.request.target == "/read" {
        await exchange.echo()
      } else {
        exchange.respond(status: 403, fields: [], body: [])
      }
    }
    let head = " HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
    let client = try server.connect()
    client.send("POST /read" + head)
    #expect(try await client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("abc")
    #expect(try await client.receive(until: "POST /read abc").hasPrefix("HTTP/1.1 200"))
    client.send("POST /other" + head)
    let refused = try await client.receiveAll()
    #expect(refused.hasPrefix("HTTP/1.1 403") && refused.contains("Connection: close"))
    await server.stop()
  }

  @Test("a short unread body is discarded, and a long one ends the connection")
  func unreadBody() async throws {
    let server = try await TestServer { exchange, _ in exchange.respond(status: 403, fields: [], body: []) }
    let next = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    for (size, count) in [(60_000, 2), (8_000_000, 1)] {
      let body = String(repeating: "b", count: size)
      for request in [
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n\(body)",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "\(String(size, radix: 16))\r\n\(body)\r\n0\r\n\r\n",
      ] {
        let client = try server.connect()
        async let sent: Void = client.sendAll(Array((request + next).utf8))
        #expect(try await client.receiveAll().components(separatedBy: "HTTP/1.1 403").count == count + 1)
        await sent
      }
    }
    await server.stop()
  }

  @Test("a body is read up to a limit, and its rest after that")
  func readBodyLimit() async throws {
    let server = try await TestServer { exchange, notes in
      do {
        let first = try await exchange.readBody(upTo: 4)
        notes.add("\(String(decoding: first.bytes, as: UTF8.self)) \(first.isWhole)")
        let rest = try await onThread { Result { try exchange.readAll() } }.get()
        notes.add(String(decoding: rest, as: UTF8.self))
      } catch { notes.add("\(error)") }
      exchange.respond(status: 200, fields: [], body: [])
    }
    _ = try await server.exchange(
      Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nConnection: close\r\n\r\nabcdef".utf8))
    _ = try await server.exchange(
      Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd".utf8))
    #expect(server.notes.all == ["abcd false", "ef", "abcd true", ""])
    await server.stop()
  }
}
