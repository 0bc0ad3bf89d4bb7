import Foundation
import HTTPServer
import Testing

@Suite("requests, by their syntax")
struct SyntaxTests {
  @Test(
    "a malformed request is refused, the connection is closed, and what follows is not interpreted",
    arguments: try! MalformedRequest.all())
  func malformed(_ request: MalformedRequest) async throws {
    let server = try await TestServer { exchange, notes in
      do {
        let body = try await exchange.readBody(upTo: 1 << 20)
        notes.add("accepted \(body.bytes.count)")
        exchange.respond(status: 200, fields: [], body: [])
      } catch { notes.add("refused") }
    }
    let isChunk = request.description.hasPrefix("chunks: ")
    let text = try await server.exchange(request.bytes + Array("GET /next HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    #expect(text.hasPrefix("HTTP/1.1 \(request.status) "), "\(text)")
    #expect(text.contains("\r\nConnection: close\r\n"))
    #expect(text.components(separatedBy: "HTTP/1.1").count == 2)
    if isChunk { #expect(await server.notes.wait(for: "refused")) }
    #expect(server.notes.all == (isChunk ? ["refused"] : []))
    await server.stop()
  }

  @Test("an unusual request is accepted", arguments: ValidRequest.all)
  func valid(_ request: ValidRequest) async throws {
    let server = try await TestServer { exchange, notes in
      notes.add(exchange.request.fields.map { "\($0.name)=\($0.value)" }.joined(separator: "|"))
      await exchange.echo()
    }
    let text = try await server.exchange(Array(request.text.utf8))
    var rest = text[...]
    for answer in request.answers {
      let range = try #require(rest.range(of: answer), "\(text)")
      rest = rest[range.upperBound...]
    }
    #expect(text.components(separatedBy: "HTTP/1.1 200 OK\r\n").count == request.requests + 1, "\(text)")
    if let fields = request.fields { #expect(server.notes.all == [fields]) }
    await server.stop()
  }

  @Test("any bytes of a request may arrive on their own")
  func pieces() async throws {
    let server = try await TestServer { exchange, _ in await exchange.echo() }
    let request =
      "\r\nPOST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
      + "3;a=b\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nA: b\r\n\r\n"
    let client = try server.connect()
    for byte in request.utf8 { client.send([byte]) }
    #expect(try await client.receiveAll().hasSuffix("POST /a abc0123456789abcdef"))
    await server.stop()
  }

  @Test("the size of a head and its number of fields are limited")
  func limits() async throws {
    var limits = ServerLimits()
    limits.headBytes = 100
    limits.fields = 3
    let server = try await TestServer(limits: limits) { exchange, _ in await exchange.echo() }
    let end = "Connection: close\r\n\r\n"
    let start = "GET / HTTP/1.1\r\nHost: a\r\n"
    let fill = 100 - start.utf8.count - end.utf8.count - 5
    let exact = start + "A: " + String(repeating: "b", count: fill) + "\r\n" + end
    #expect(exact.utf8.count == 100)
    #expect(try await server.exchange(Array(exact.utf8)).hasPrefix("HTTP/1.1 200"))
    let long = start + "A: " + String(repeating: "b", count: fill + 1) + "\r\n" + end
    #expect(try await server.exchange(Array(long.utf8)).hasPrefix("HTTP/1.1 431"))
    #expect(try await server.exchange(Array((start + "A:\r\nB:\r\n" + end).utf8)).hasPrefix("HTTP/1.1 431"))
    // Without an end, too.
    #expect(try await server.exchange(Array(String(repeating: "G", count: 100).utf8)).hasPrefix("HTTP/1.1 431"))
    await server.stop()
  }

  @Test("a malformed chunk after the response has begun closes the connection without an end of the response")
  func lateFault() async throws {
    let server = try await TestServer { exchange, notes in
      await onThread {
        do {
          try exchange.begin(status: 200, fields: [])
          try exchange.write(Array("abc".utf8))
          _ = try exchange.readAll()
        } catch { notes.add("\(error)") }
      }
    }
    let client = try server.connect()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
    var text = try await client.receive(until: "abc\r\n")
    client.send("x\r\n")
    text += try await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 200") && !text.contains("0\r\n\r\n") && !text.contains("400"))
    #expect(server.notes.all.count == 1)
    await server.stop()
  }
}
